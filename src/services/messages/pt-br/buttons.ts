import type { buttonTexts as english } from "../en/buttons.ts";
import type { Translation } from "../translation.ts";
import { ONE_OF, command, credits, number } from "./words.ts";

export const buttonTexts: Translation<typeof english> = {
	buttonAgain: "De novo",
	buttonVary: "Variar",
	buttonEdit: "Editar",
	buttonAnimate: "Animar",
	buttonUseAsInput: "Usar como base",
	buttonUpscale: (p) => `Ampliar (${credits(p.costCredits)})`,
	picturePlaceholder: "Fazer algo com uma destas imagens",
	choicePicture: (p) => `Imagem ${p.picture}: ${p.label}`,
	upscaleNone: "Nenhum modelo daqui consegue ampliar esta imagem.",
	buttonDelete: "Apagar",
	buttonConfirm: (p) => `Criar por ${credits(p.costCredits)}`,
	buttonDecline: "Deixar",
	buttonRedeem: "Adicionar minha compra aqui",
	editTitle: "Criar de outro jeito",
	editInputTitle: "Criar a partir desta imagem",
	editPrompt: "Prompt",
	editAspectRatio: "Formato",
	editResolution: "Tamanho",
	editDuration: "Segundos",
	editSeed: "Semente",
	editLyrics: "Letra",
	editInstrumental: "Sem voz",
	editCount: "Quantas",
	editSeedHint: "Vazio: outra",
	choiceYes: "sim",
	choiceNo: "não",
	animateMenuName: "Animar",
	variationsMenuName: "Criar variações",
	sourceGone:
		"O que criou isto não está mais guardado aqui, então não dá para repetir daqui. Digite o comando de novo.",
	sourcePrivate: "Esse é o resultado privado de outra pessoa.",
	inputGone: "A imagem de partida não está mais disponível. Digite o comando de novo e anexe-a outra vez.",
	noPicture: "Nessa mensagem não há imagem que possa ser usada. Precisa ser PNG, JPEG ou WebP.",
	promptTooLongToEdit: (p) =>
		`Esse prompt tem mais de ${number(p.charsMax)} caracteres, demais para um formulário. Digite o comando de novo.`,
	notAWholeNumber: (p) => `${p.field}: ${p.typed} não é um número inteiro.`,
	othersResult: "Só quem pediu e a moderação deste servidor podem apagar.",
	resultDeleted: `Apagado. O que custou continua gasto, e as contas ficam como estão. ${command("job", "get")} ainda tem os arquivos do que você pediu, enquanto ficarem guardados.`,
	confirmCost: (p) =>
		`> ${p.prompt}\n${p.model} (${ONE_OF[p.mediaType]}) custa **${credits(p.costCredits)}**. Este servidor quer que isso seja confirmado; nada é cobrado ainda.`,
	proposalGone: "Isso já foi decidido ou faz tempo demais. Digite o comando de novo.",
	othersProposal: "Só quem pediu pode decidir.",
	proposalDeclined: "Deixado. Nada foi cobrado.",
};
