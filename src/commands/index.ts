import { block, blocks, unblock } from "./block.ts";
import type { Command, MessageCommand } from "./command.ts";
import type { Component } from "./components/component.ts";
import { credits } from "./credits.ts";
import { filter } from "./filter.ts";
import { help } from "./help.ts";
import { image } from "./image.ts";
import { job } from "./job.ts";
import { music } from "./music.ts";
import { animateMessage, varyMessage } from "./components/context-menu.ts";
import { forget, privacy } from "./privacy.ts";
import { confirmTask, declineTask } from "./components/confirmation.ts";
import { quota } from "./quota.ts";
import { moderate, reportButton, reportForm, reportMessage } from "./components/report.ts";
import { again, animate, imageAction, upscale, vary } from "./components/result-actions.ts";
import { deleteResult } from "./components/result-delete.ts";
import { edited, openEditor } from "./components/result-edit.ts";
import { inputUsed, openInput, imageInputUsed } from "./components/result-input.ts";
import { settings } from "./settings.ts";
import { setup, setupBudget, setupBudgetForm, setupChannels, setupRoles, setupStep } from "./setup.ts";
import { saveStyle, styleSaved } from "./style-save.ts";
import { style } from "./style.ts";
import { cancelTask } from "./components/cancel-button.ts";
import { redeem } from "./components/redeem-button.ts";
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
export const allComponents: readonly Component[] = [
	again,
	vary,
	openEditor,
	edited,
	animate,
	openInput,
	inputUsed,
	upscale,
	imageAction,
	imageInputUsed,
	deleteResult,
	confirmTask,
	declineTask,
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
