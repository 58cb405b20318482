/** What people press and fill in under a result, and before something that costs much. */
import type { MediaType } from "../../generation/model.ts";
import { ONE_OF, command, credits, number } from "./words.ts";

export const buttonTexts = {
	// Labels have up to 80 characters, titles and fields of forms 45.
	buttonAgain: "Again",
	buttonVary: "Vary",
	buttonEdit: "Edit",
	buttonAnimate: "Animate",
	buttonUseAsInput: "Use as input",
	buttonUpscale: (p: { costCredits: number }) => `Upscale (${credits(p.costCredits)})`,
	picturePlaceholder: "Make something of one of these pictures",
	choicePicture: (p: { picture: number; label: string }) => `Picture ${p.picture}: ${p.label}`,
	upscaleNone: "No model here can enlarge this picture.",
	buttonDelete: "Delete",
	buttonConfirm: (p: { costCredits: number }) => `Make it for ${credits(p.costCredits)}`,
	buttonDecline: "Leave it",
	buttonRedeem: "Add my purchase here",
	editTitle: "Make it differently",
	editInputTitle: "Make something of this picture",
	editPrompt: "Prompt",
	editAspectRatio: "Shape",
	editResolution: "Size",
	editDuration: "Seconds",
	editSeed: "Seed",
	editLyrics: "Lyrics",
	editInstrumental: "Without vocals",
	editCount: "How many",
	editSeedHint: "Leave it empty for another one",
	choiceYes: "yes",
	choiceNo: "no",
	animateMenuName: "Animate",
	variationsMenuName: "Make variations",
	sourceGone: "What made this is no longer kept here, so it cannot be done again from here. Type the command again.",
	sourcePrivate: "That is somebody else's private result.",
	inputGone: "The picture that this started from is no longer reachable. Type the command again, and attach it again.",
	noPicture: "There is no picture in that message that can be used. It takes a PNG, JPEG or WebP.",
	promptTooLongToEdit: (p: { charsMax: number }) =>
		`That prompt has more than ${number(p.charsMax)} characters, too many for a form. Type the command again.`,
	notAWholeNumber: (p: { field: string; typed: string }) => `${p.field}: ${p.typed} is not a whole number.`,
	othersResult: "Only whoever asked for this, and people who look after this server, can delete it.",
	resultDeleted: `Deleted. What it cost stays spent, and the books stay as they are. ${command("job", "get")} still has the files of what you asked for, while they are kept.`,
	confirmCost: (p: { mediaType: MediaType; model: string; costCredits: number; prompt: string }) =>
		`> ${p.prompt}\nThis ${ONE_OF[p.mediaType]} by ${p.model} costs **${credits(p.costCredits)}**. This server asks you to confirm that; nothing is charged yet.`,
	proposalGone: "That has been decided already, or was too long ago. Type the command again.",
	othersProposal: "Only whoever asked for this can decide it.",
	proposalDeclined: "Not made. Nothing was charged.",
} as const;
