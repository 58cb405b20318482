import { block, blocks, unblock } from "./block.ts";
import type { Command, MessageCommand } from "./command.ts";
import type { Control } from "./control.ts";
import { credits } from "./credits.ts";
import { filter } from "./filter.ts";
import { help } from "./help.ts";
import { image } from "./image.ts";
import { job } from "./job.ts";
import { music } from "./music.ts";
import { animateMessage, varyMessage } from "./message-menu.ts";
import { forget, privacy } from "./privacy.ts";
import { confirmProposal, declineProposal } from "./proposal.ts";
import { quota } from "./quota.ts";
import { moderate, reportButton, reportForm, reportMessage } from "./report.ts";
import { again, animate, ofPicture, upscale, vary } from "./result-again.ts";
import { deleteResult } from "./result-delete.ts";
import { edited, openEditor } from "./result-edit.ts";
import { inputUsed, openInput, pictureInputUsed } from "./result-input.ts";
import { settings } from "./settings.ts";
import { setup, setupBudget, setupBudgetForm, setupChannels, setupRoles, setupStep } from "./setup.ts";
import { saveStyle, styleSaved } from "./style-save.ts";
import { style } from "./style.ts";
import { cancelTask } from "./task-cancel.ts";
import { redeem } from "./top-up.ts";
import { usage } from "./usage.ts";
import { video } from "./video.ts";

/** Every command there is. */
export const commands: readonly Command[] = [
	image,
	video,
	music,
	help,
	job,
	credits,
	quota,
	usage,
	privacy,
	settings,
	filter,
	block,
	unblock,
	blocks,
	style,
	setup,
];

/** Every command of the context menu of a message. */
export const messageCommands: readonly MessageCommand[] = [animateMessage, varyMessage, saveStyle, reportMessage];

/** Every button, menu and form. What is taken off this list is refused in words wherever it still stands. */
export const controls: readonly Control[] = [
	again,
	vary,
	openEditor,
	edited,
	animate,
	openInput,
	inputUsed,
	upscale,
	ofPicture,
	pictureInputUsed,
	deleteResult,
	confirmProposal,
	declineProposal,
	cancelTask,
	reportButton,
	reportForm,
	moderate,
	styleSaved,
	redeem,
	forget,
	setupStep,
	setupChannels,
	setupRoles,
	setupBudget,
	setupBudgetForm,
];
