import type { answerTexts as english } from "../en/answers.ts";
import type { Translation } from "../../translation.ts";
import {
	MEDIA,
	PER,
	again,
	changes,
	command,
	credits,
	fileAt,
	form,
	named,
	number,
	option,
	remain,
	when,
} from "./words.ts";

export const answerTexts: Translation<typeof english> = {
	resultMade: (p) => `> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · ${remain(p.leftCredits)}`,
	resultInPart: (p) => `${number(p.made)} de ${number(p.ordered)} foram feitas; só essas são cobradas.`,
	resultLeftOut: (p) =>
		`${number(p.made)} foram feitas. Uma mensagem comporta ${number(p.shown)}: as outras não são mostradas nem cobradas.`,
	detailSeed: (p) => `semente ${p.seed}`,
	detailSeconds: (p) => `${number(p.seconds)} s`,
	resultBooksDamaged: (p) =>
		`> ${p.prompt}\n-# ${p.details} · cobrança de ${credits(p.costCredits)} · as contas deste servidor estão danificadas`,
	resultBooksDamagedWithoutPrompt: (p) =>
		`-# ${p.details} · cobrança de ${credits(p.costCredits)} · as contas deste servidor estão danificadas\n-# O prompt não é repetido porque o Discord não o deixou passar aqui.`,
	resultFailed: (p) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "Nada foi cobrado.",
	resultWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} · ${remain(p.leftCredits)}\n-# O prompt não é repetido porque o Discord não o deixou passar aqui.`,
	fileRefused: (p) =>
		`Foi criado e cobrado (${credits(p.costCredits)}), mas o Discord não aceitou o arquivo aqui. Ele fica guardado por uma semana: ${command("job", "get")} talvez o traga em outro lugar, e os responsáveis por este bot o têm, com o id ${p.taskId}.`,
	directLead: (p) => `Você pediu isto em <#${p.channelId}>, onde não dá mais para mostrar:`,
	comesLaterHere: "Está demorando mais que o normal. Vai aparecer aqui quando estiver pronto.",
	comesLaterDirectly: `Está demorando mais que o normal. Vai chegar como mensagem direta quando estiver pronto; se você não aceita mensagens diretas, ${command("job")} vai ter.`,

	creditsShort: (p) =>
		`Isso custa ${credits(p.costCredits)}, e ${remain(p.leftCredits)} a este servidor. ${p.refillsAtS === null ? "Escolha algo menor ou peça mais a um admin." : `Mais créditos chegam ${when(p.refillsAtS)}; até lá escolha algo menor ou fale com um admin.`}`,
	limitMember: (p) =>
		p.limitCredits === 0
			? "Os admins deste servidor não deram créditos a você. Fale com um deles."
			: `Isso custa ${credits(p.costCredits)}, e dos seus ${credits(p.limitCredits)} ${PER[p.per]} ${remain(p.leftCredits)}. ${again(p, "Você terá")}`,
	limitMedium: (p) =>
		p.limitCredits === 0
			? `Os admins deste servidor não deram créditos aos membros para ${MEDIA[p.mediaType]}.`
			: `Isso custa ${credits(p.costCredits)}, e dos ${credits(p.limitCredits)} ${PER[p.per]} que cada membro pode usar para ${MEDIA[p.mediaType]} ${remain(p.leftCredits)} a você. ${again(p, "Você terá")}`,
	limitServer: (p) =>
		p.limitCredits === 0
			? "Os admins deste servidor pararam todo uso de créditos nele."
			: `Isso custa ${credits(p.costCredits)}, e dos ${credits(p.limitCredits)} ${PER[p.per]} que este servidor se permite ${remain(p.leftCredits)}. ${again(p, "Ele terá")}`,
	tooManyAtOnce: "Há coisas demais em andamento neste servidor. Espere uma terminar e tente de novo.",
	managersOnly: "Só quem pode gerenciar este servidor pode fazer isso.",
	grantedByOperator: "Só os responsáveis por este bot dão créditos. Peça mais a eles.",
	othersHistory: `Só quem pode gerenciar este servidor vê o que os outros fizeram. Omita ${option("member")} para ver o seu próprio histórico.`,
	revokeTooMuch: (p) =>
		`Você não pode tirar ${credits(p.amountCredits)}: este servidor tem ${number(p.availableCredits)} livres${p.heldCredits > 0 ? ` e ${number(p.heldCredits)} em reserva para o que está em andamento` : ""}.`,
	changeDiffers: "Com este id já foi feita outra coisa. Nada mudou.",
	changeUncertain: `Não é certo que isso foi feito: veja ${command("credits", "history")} antes de repetir.`,
	amountImpossible: "Isso é mais do que as contas comportam. Escolha uma quantidade menor.",
	tooManyExpiring: "Este servidor já tem concessões demais que expiram. Dê estas sem data de fim ou espere.",
	nothingToChange: "Nada foi alterado: diga o que deve ser diferente.",
	allotmentOneOf: `Escolha uma opção entre ${option("credits")}, ${option("unlimited")} e ${option("clear")}.`,
	limitOneOf: `Escolha entre ${option("credits")} e ${option("unlimited")}.`,
	mediumOneOf: `Escolha entre ${option("credits")} e ${option("clear")}.`,
	warnOneOf: `Escolha entre ${option("warn_channel")} e ${option("warn_nobody")}.`,
	periodWithoutLimit: `O servidor não tem limite para contar por tempo. Informe também ${option("credits")}.`,
	periodForEverybody: `O tempo é o mesmo para todos. Omita ${option("member")} para mudá-lo.`,
	everyoneRole: `Esse cargo é todo mundo. Use ${command("quota", "member")} sem membro.`,
	timeZoneUnknown: (p) => `Não existe fuso horário chamado ${p.typed}. Escolha um da lista, como America/Sao_Paulo.`,
	tooManyExceptions: (p) =>
		`Este servidor já tem regras para ${number(p.exceptionsMax)} cargos e membros. Limpe algumas primeiro.`,
	serverOnly: "Isso só funciona em um servidor, porque os créditos são do servidor.",
	controlUnknown:
		"Isto não faz mais nada: foi posto aqui por uma versão anterior deste bot, ou por outra coisa. Digite o comando.",
	promptEmpty: "Esse prompt está vazio. Diga em poucas palavras o que você quer.",
	noModel: (p) =>
		`Nada aqui consegue criar ${MEDIA[p.mediaType]} no momento. Os responsáveis por este bot podem ver o motivo no registro.`,
	modelUnknown: (p) => `Não há modelo chamado ${p.model} aqui. Escolha um destes: ${p.known}.`,
	imageNeeded: (p) => `${p.model} precisa de uma imagem de partida: anexe uma como ${option("image")}.`,
	optionNotTaken: (p) => `${p.model} não aceita ${named(p.option)}. Omita essa opção ou escolha outro modelo.`,
	optionOneOf: (p) => `${p.model} não consegue fazer ${named(p.option)} ${p.value}. Aceita um destes: ${p.values}.`,
	optionRange: (p) =>
		`${p.model} não consegue fazer ${named(p.option)} ${p.value}. Aceita um número inteiro de ${number(p.min)} a ${number(p.max)}.`,
	durationNeeded: (p) => `${p.model} é pago por segundo: diga quanto deve durar com ${option("duration")}.`,
	optionTooLong: (p) => `${p.model} aceita no máximo ${number(p.charsMax)} caracteres em ${named(p.option)}.`,
	inputTooManyPixels: (p) =>
		`Essa imagem tem ${number(p.megapixels)} megapixels. Use uma com menos de ${number(p.megapixelsMax)}.`,
	attachmentNotImage: "Esse arquivo não é uma imagem. Anexe um PNG, JPEG ou WebP.",
	serviceDown: "O serviço de criação está fora do ar agora. Tente de novo em alguns minutos.",
	serviceBusy: "O serviço de criação está ocupado. Tente de novo em alguns minutos.",
	pausedByOperator:
		"Nada de novo está sendo aceito agora: este bot foi restaurado de um backup. Quem o mantém vai reabri-lo em breve.",
	serviceConfused:
		"O serviço de criação deu uma resposta que não faz sentido. Os responsáveis por este bot podem vê-la no registro.",
	serviceRefused: (p) => `O serviço de criação recusou isto: ${p.reason}`,
	contentPolicy: "O serviço de criação não aceita este prompt. Diga de outro jeito.",
	operatorMustAct:
		"O serviço de criação não está atendendo este bot agora. Só os responsáveis por este bot podem resolver isso; o registro diz por quê.",
	modelUnavailable: "O serviço de criação não pode usar este modelo agora. Experimente outro modelo.",
	makingFailed: "O serviço de criação tentou e falhou. Tente de novo ou experimente outro modelo.",
	nothingMade: "O serviço diz que terminou, mas não há arquivo. Tente de novo.",
	timedOut: "Demorou demais e foi abandonado. Tente de novo ou experimente algo mais curto.",
	notSent: "Não deu para enviar isto ao serviço a tempo, então nada foi criado. Tente de novo mais tarde.",
	botWasStopped: "Este bot ficou parado por um tempo, e o prazo disto acabou antes do envio. Tente de novo.",
	resultLost: "Foi criado, mas não deu para buscar o arquivo. Tente de novo.",
	diskFull: "Foi criado, mas o disco deste bot está cheio. Só os responsáveis por este bot podem resolver isso.",
	resultOutOfBounds:
		"Foi criado, mas está onde este bot não pode buscar arquivos. Os responsáveis por este bot podem ver onde no registro.",
	resultStrange:
		"Foi criado, mas o Discord não mostra esse tipo de arquivo. Tente de novo ou experimente outro modelo.",
	resultWrongMedium: (p) =>
		`O serviço criou algo que não é ${{ image: "uma imagem", video: "um vídeo", music: "música" }[p.mediaType]}. Tente de novo ou experimente outro modelo.`,
	resultDamaged: "Foi criado, mas o arquivo está danificado. Tente de novo ou experimente outro modelo.",
	resultTooManyPixels: (p) =>
		`Foi criado, mas a imagem tem ${number(p.megapixels)} megapixels, mais do que é seguro abrir. Escolha uma resolução menor.`,
	resultFitted: (p) => `Adaptado para caber aqui: ${changes(p.changes)}.`,
	resultPreview: (p) =>
		`O arquivo inteiro tem ${number(p.sizeMiB)} MiB, grande demais para mostrar aqui com qualquer qualidade: isto é ${changes(p.changes)}. ${p.link ? fileAt(p.link) : `Os responsáveis por este bot têm o resto por uma semana, com o id ${p.taskId}.`}`,
	fileAt,
	resultTooLarge: (p) =>
		`Foi criado, mas o arquivo tem ${number(p.sizeMiB)} MiB, e o limite aqui é ${number(p.limitMiB)} MiB. Escolha uma resolução menor ou uma duração mais curta.`,
	resultNeedsMoreMemory: (p) =>
		`Foi criado, mas este bot não tem memória suficiente para converter o arquivo, que tem ${number(p.sizeMiB)} MiB. Escolha uma resolução menor ou uma duração mais curta; os responsáveis por este bot veem isso no log.`,
	resultTooLargeToFetch: (p) =>
		`Foi criado, mas o arquivo passa de ${number(p.limitMiB)} MiB, o máximo que este bot busca. Escolha uma resolução menor ou uma duração mais curta.`,
	noWayBack:
		"Isso pode levar mais de 15 minutos, e depois só o próprio bot pode mostrar aqui: mas ele não está neste servidor ou não vê este canal. Peça a um admin que dê acesso a ele ou use outro canal. Nada foi cobrado.",
	outcomeUnknown: "Não é certo que o serviço aceitou isto.",
	outcomePending: (p) => {
		const then =
			p.costCredits === 0
				? "isto é abandonado"
				: `${credits(p.costCredits)} ${form(p.costCredits, { one: "volta", other: "voltam" })}`;
		return p.isLookedUp
			? `O serviço não disse se aceitou isto; isso está sendo verificado, e ${then} se <t:${p.deadlineAtS}:R> ainda não se souber.`
			: `O serviço não disse se aceitou isto, então ${then} <t:${p.deadlineAtS}:R>.`;
	},
	canceledByMember: "Cancelado por quem pediu.",
	canceledByModerator: (p) => `Cancelado por <@${p.userId}>, da moderação deste servidor.`,
	canceledByOperator: "Cancelado pelos responsáveis por este bot.",
	canceledByService: "O serviço de criação cancelou isto. Tente de novo.",
	unexpected: (p) =>
		`Algo deu errado do nosso lado. Se acontecer de novo, avise os responsáveis por este bot: incidente ${p.incidentId}.`,
	booksDamaged: (p) =>
		`As contas deste servidor estão danificadas, então nada é feito até que sejam reparadas. Nenhum crédito foi movido. Avise os responsáveis por este bot: incidente ${p.incidentId}.`,
};
