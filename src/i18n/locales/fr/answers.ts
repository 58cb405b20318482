import type { answerTexts as english } from "../en/answers.ts";
import type { Translation } from "../../translation.ts";
import {
	PER,
	SOME,
	THE,
	again,
	changes,
	command,
	credits,
	fileAt,
	form,
	named,
	number,
	option,
	when,
} from "./words.ts";

export const answerTexts: Translation<typeof english> = {
	resultMade: (p) => `> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} · encore ${number(p.leftCredits)}`,
	resultInPart: (p) => `${number(p.made)} sur ${number(p.ordered)} ont été faites ; elles seules sont débitées.`,
	resultLeftOut: (p) =>
		`${number(p.made)} ont été faites. Un message en contient ${number(p.shown)} : les autres ne sont ni montrées ni débitées.`,
	detailSeed: (p) => `graine ${p.seed}`,
	detailSeconds: (p) => `${number(p.seconds)} s`,
	resultBooksDamaged: (p) =>
		`> ${p.prompt}\n-# ${p.details} · ${credits(p.costCredits)} ${form(p.costCredits, { one: "facturé", other: "facturés" })} · les comptes de ce serveur sont endommagés`,
	resultBooksDamagedWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} ${form(p.costCredits, { one: "facturé", other: "facturés" })} · les comptes de ce serveur sont endommagés\n-# Le prompt n'est pas répété, parce que Discord ne l'a pas laissé passer ici.`,
	resultFailed: (p) => `> ${p.prompt}\n${p.reason}`,
	nothingCharged: "Rien n'a été facturé.",
	resultWithoutPrompt: (p) =>
		`-# ${p.details} · ${credits(p.costCredits)} · encore ${number(p.leftCredits)}\n-# Le prompt n'est pas répété, parce que Discord ne l'a pas laissé passer ici.`,
	fileRefused: (p) =>
		`C'est créé et facturé (${credits(p.costCredits)}), mais Discord n'a pas accepté le fichier ici. Il est gardé une semaine : ${command("job", "get")} peut l'apporter ailleurs, et les responsables de ce bot l'ont, sous ${p.taskId}.`,
	directLead: (p) => `Tu as demandé ceci dans <#${p.channelId}>, où ça ne peut plus être montré :`,
	comesLaterHere: "C'est plus long que d'habitude. Ça apparaîtra ici une fois prêt.",
	comesLaterDirectly: `C'est plus long que d'habitude. Ça arrivera en message privé une fois prêt ; si tu n'en acceptes pas, ${command("job")} l'aura.`,

	creditsShort: (p) =>
		`Ça coûte ${credits(p.costCredits)}, et il en reste ${number(p.leftCredits)} à ce serveur. ${p.refillsAtS === null ? "Choisis quelque chose de plus petit, ou demandes-en plus à un admin." : `Il y en aura plus ${when(p.refillsAtS)} ; d'ici là, choisis quelque chose de plus petit, ou demande à un admin.`}`,
	limitMember: (p) =>
		p.limitCredits === 0
			? "Les admins de ce serveur ne t'ont pas donné de crédits. Demande à l'un d'eux."
			: `Ça coûte ${credits(p.costCredits)}, et sur tes ${credits(p.limitCredits)} ${PER[p.per]} il t'en reste ${number(p.leftCredits)}. ${again(p, "Tu auras")}`,
	limitMedium: (p) =>
		p.limitCredits === 0
			? `Les admins de ce serveur n'ont pas donné de crédits aux membres pour ${THE[p.mediaType]}.`
			: `Ça coûte ${credits(p.costCredits)}, et sur les ${credits(p.limitCredits)} ${PER[p.per]} que chaque membre peut utiliser pour ${THE[p.mediaType]} il t'en reste ${number(p.leftCredits)}. ${again(p, "Tu auras")}`,
	limitServer: (p) =>
		p.limitCredits === 0
			? "Les admins de ce serveur y ont arrêté toute utilisation de crédits."
			: `Ça coûte ${credits(p.costCredits)}, et sur les ${credits(p.limitCredits)} ${PER[p.per]} que ce serveur s'autorise il en reste ${number(p.leftCredits)}. ${again(p, "Il aura")}`,
	tooManyAtOnce: "Trop de choses sont en cours sur ce serveur. Attends qu'une d'elles se termine, puis réessaie.",
	managersOnly: "Seules les personnes qui peuvent gérer ce serveur peuvent faire ça.",
	grantedByOperator: "Seuls les responsables de ce bot donnent des crédits. Adresse-toi à eux pour en avoir plus.",
	othersHistory: `Seules les personnes qui peuvent gérer ce serveur voient ce que les autres ont fait. Omets ${option("member")} pour voir ton propre historique.`,
	revokeTooMuch: (p) =>
		`Tu ne peux pas retirer ${credits(p.amountCredits)} : ce serveur en a ${number(p.availableCredits)} de libres${p.heldCredits > 0 ? `, et ${number(p.heldCredits)} mis de côté pour ce qui est en cours` : ""}.`,
	changeDiffers: "Autre chose a déjà été fait sous cet id. Rien n'a changé.",
	changeUncertain: `On ne sait pas si c'est fait : regarde ${command("credits", "history")} avant de recommencer.`,
	amountImpossible: "C'est plus que ce que les comptes peuvent contenir. Choisis un nombre plus petit.",
	tooManyExpiring: "Ce serveur a déjà trop de dons qui expirent. Donne ceux-ci sans date de fin, ou attends.",
	nothingToChange: "Rien n'a été changé : dis ce qui doit être différent.",
	allotmentOneOf: `Choisis une option parmi ${option("credits")}, ${option("unlimited")} et ${option("clear")}.`,
	limitOneOf: `Choisis entre ${option("credits")} et ${option("unlimited")}.`,
	mediumOneOf: `Choisis entre ${option("credits")} et ${option("clear")}.`,
	warnOneOf: `Choisis entre ${option("warn_channel")} et ${option("warn_nobody")}.`,
	periodWithoutLimit: `Il n'y a pas de limite du serveur à compter dans le temps. Indique aussi ${option("credits")}.`,
	periodForEverybody: `La durée est la même pour tout le monde. Omets ${option("member")} pour la changer.`,
	everyoneRole: `Ce rôle, c'est tout le monde. Utilise ${command("quota", "member")} sans membre.`,
	timeZoneUnknown: (p) =>
		`Il n'existe pas de fuseau horaire nommé ${p.typed}. Choisis-en un dans la liste, comme Europe/Paris.`,
	tooManyExceptions: (p) =>
		`Ce serveur a déjà des règles pour ${number(p.exceptionsMax)} rôles et membres. Effaces-en d'abord quelques-unes.`,
	serverOnly: "Ça ne marche que dans un serveur, car les crédits appartiennent au serveur.",
	controlUnknown:
		"Ceci ne fait plus rien : une version précédente de ce bot l'a mis là, ou autre chose. Tape plutôt la commande.",
	promptEmpty: "Ce prompt est vide. Dis en quelques mots ce que tu veux.",
	noModel: (p) =>
		`Rien ici ne peut créer ${SOME[p.mediaType]} pour le moment. Les responsables de ce bot en verront la cause dans son journal.`,
	modelUnknown: (p) => `Il n'y a pas de modèle nommé ${p.model} ici. Choisis parmi : ${p.known}.`,
	imageNeeded: (p) => `${p.model} a besoin d'une image de départ : joins-en une comme ${option("image")}.`,
	optionNotTaken: (p) => `${p.model} ne prend pas ${named(p.option)}. Omets cette option, ou choisis un autre modèle.`,
	optionOneOf: (p) => `${p.model} ne peut pas faire ${named(p.option)} ${p.value}. Valeurs possibles : ${p.values}.`,
	optionRange: (p) =>
		`${p.model} ne peut pas faire ${named(p.option)} ${p.value}. Il faut un nombre entier de ${number(p.min)} à ${number(p.max)}.`,
	durationNeeded: (p) => `${p.model} se paie à la seconde : indique la longueur avec ${option("duration")}.`,
	optionTooLong: (p) => `${p.model} prend au plus ${number(p.charsMax)} caractères pour ${named(p.option)}.`,
	inputTooManyPixels: (p) =>
		`Cette image a ${number(p.megapixels)} mégapixels. Prends-en une de moins de ${number(p.megapixelsMax)}.`,
	attachmentNotImage: "Ce fichier n'est pas une image. Joins un PNG, un JPEG ou un WebP.",
	serviceDown: "Le service de création est injoignable en ce moment. Réessaie dans quelques minutes.",
	serviceBusy: "Le service de création est occupé. Réessaie dans quelques minutes.",
	pausedByOperator:
		"Rien de nouveau n’est accepté pour l’instant : ce bot a été restauré depuis une sauvegarde. La personne qui l’héberge le rouvrira bientôt.",
	serviceConfused:
		"Le service de création a donné une réponse qui n'a pas de sens. Les responsables de ce bot peuvent la voir dans le journal.",
	serviceRefused: (p) => `Le service de création a refusé ceci : ${p.reason}`,
	contentPolicy: "Le service de création n'accepte pas ce prompt. Dis-le autrement.",
	operatorMustAct:
		"Le service de création ne travaille pas pour ce bot en ce moment. Seuls les responsables de ce bot peuvent y remédier ; le journal en donne la raison.",
	modelUnavailable: "Le service de création ne peut pas utiliser ce modèle en ce moment. Essaie un autre modèle.",
	makingFailed: "Le service de création a essayé, sans succès. Réessaie, ou essaie un autre modèle.",
	nothingMade: "Le service dit que c'est terminé, mais il n'y a pas de fichier. Réessaie.",
	timedOut: "C'était trop long et ça a été abandonné. Réessaie, ou essaie quelque chose de plus court.",
	notSent: "Ça n'a pas pu être envoyé au service à temps, et rien n'a été créé. Réessaie plus tard.",
	botWasStopped: "Ce bot a été arrêté un moment, et le temps prévu s'est écoulé avant l'envoi. Réessaie.",
	resultLost: "C'est créé, mais le fichier n'a pas pu être récupéré. Réessaie.",
	diskFull: "C'est créé, mais le disque de ce bot est plein. Seuls les responsables de ce bot peuvent y remédier.",
	resultOutOfBounds:
		"C'est créé, mais le fichier se trouve là où ce bot ne doit pas aller le chercher. Les responsables de ce bot peuvent voir où dans le journal.",
	resultStrange: "C'est créé, mais Discord ne montre pas ce genre de fichier. Réessaie, ou essaie un autre modèle.",
	resultWrongMedium: (p) =>
		`Le service a créé autre chose qu'${{ image: "une image", video: "une vidéo", music: "une musique" }[p.mediaType]}. Réessaie, ou essaie un autre modèle.`,
	resultDamaged: "C'est créé, mais le fichier est endommagé. Réessaie, ou essaie un autre modèle.",
	resultTooManyPixels: (p) =>
		`C'est créé, mais l'image a ${number(p.megapixels)} mégapixels, plus qu'on ne peut ouvrir sans risque. Choisis une résolution plus basse.`,
	resultFitted: (p) => `Adapté pour tenir ici : ${changes(p.changes)}.`,
	resultPreview: (p) =>
		`Le fichier entier fait ${number(p.sizeMiB)} Mio, trop pour être montré ici, quelle que soit la qualité : voici ${changes(p.changes)}. ${p.link ? fileAt(p.link) : `Les responsables de ce bot ont le reste pendant une semaine, sous ${p.taskId}.`}`,
	fileAt,
	resultTooLarge: (p) =>
		`C'est créé, mais le fichier fait ${number(p.sizeMiB)} Mio, et la limite ici est de ${number(p.limitMiB)} Mio. Choisis une résolution plus basse ou une durée plus courte.`,
	resultNeedsMoreMemory: (p) =>
		`C'est créé, mais ce bot n'a pas assez de mémoire pour convertir le fichier de ${number(p.sizeMiB)} Mio. Choisis une résolution plus basse ou une durée plus courte ; les responsables de ce bot le voient dans le journal.`,
	resultTooLargeToFetch: (p) =>
		`C'est créé, mais le fichier dépasse ${number(p.limitMiB)} Mio, et ce bot n'en récupère pas de plus gros. Choisis une résolution plus basse ou une durée plus courte.`,
	noWayBack:
		"Ça peut prendre plus de 15 minutes, et après seul le bot lui-même peut le montrer ici : mais il n'est pas dans ce serveur, ou ne voit pas ce salon. Demande à un admin de lui donner accès, ou utilise un autre salon. Rien n'a été facturé.",
	outcomeUnknown: "On ne sait pas si le service a pris la demande.",
	outcomePending: (p) => {
		const then =
			p.costCredits === 0
				? "elle est abandonnée"
				: `${credits(p.costCredits)} ${form(p.costCredits, { one: "revient", other: "reviennent" })}`;
		return p.isLookedUp
			? `Le service n'a pas dit s'il a pris la demande ; on vérifie, et ${then} si on ne le sait toujours pas <t:${p.deadlineAtS}:R>.`
			: `Le service n'a pas dit s'il a pris la demande, alors ${then} <t:${p.deadlineAtS}:R>.`;
	},
	canceledByMember: "Annulé par la personne qui l'avait demandé.",
	canceledByModerator: (p) => `Annulé par <@${p.userId}>, de la modération de ce serveur.`,
	canceledByOperator: "Annulé par les responsables de ce bot.",
	canceledByService: "Le service de création a annulé ceci. Réessaie.",
	unexpected: (p) =>
		`Quelque chose s'est mal passé de notre côté. Si ça se reproduit, dis-le aux responsables de ce bot : incident ${p.incidentId}.`,
	booksDamaged: (p) =>
		`Les comptes de ce serveur sont endommagés, donc rien ne se fait avant leur réparation. Aucun crédit n'a bougé. Dis-le aux responsables de ce bot : incident ${p.incidentId}.`,
};
