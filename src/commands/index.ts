/** All commands and components of the bot. */
import { balance } from "./balance.ts";
import { block, blocks, blockList, unblock, unblockListed } from "./block.ts";
import { showLimits } from "./credits-card.ts";
import { credits, historyList } from "./credits.ts";
import { filter, filterList, removeListedPattern } from "./filter.ts";
import { gallery, galleryComponents, showFiles } from "./gallery.ts";
import { IMPROVE_OPTION } from "./generation/generation-command.ts";
import { help, showHelp, turnHelpPage } from "./help.ts";
import { image } from "./image.ts";
import { job, jobList } from "./job.ts";
import { music } from "./music.ts";
import { animateMessage, varyMessage } from "./context-menu.ts";
import { deleteMemberData, privacy } from "./privacy.ts";
import { confirmDraft, declineDraft } from "./components/draft-buttons.ts";
import { quotaPanelComponents } from "./quota-card.ts";
import { quota } from "./quota.ts";
import { moderateReport, submitModeration, openReportForm, submitReport, reportMessage } from "./report.ts";
import { regenerate, animate, chooseImage, improvePrompt, upscale, vary } from "./components/result-actions.ts";
import { openDeleteForm, deleteResultMessage } from "./components/result-delete.ts";
import { generateEdited, openEditForm } from "./components/result-edit.ts";
import { openDraftForm, submitDraftForm } from "./components/draft-form.ts";
import { generateFromInput, openInputForm } from "./components/result-input.ts";
import { settings, auditList } from "./settings/settings.ts";
import { finishSetup, setup, setupPanelComponents, showSetupStep } from "./setup.ts";
import { openStyleForm, saveStyle } from "./style-save.ts";
import { removeListedStyle, styleList, style } from "./style.ts";
import {
	channelDefaultsComponents,
	pickChannel,
	settingsPanelComponents,
	turnSettingPage,
} from "./settings/settings-card.ts";
import { cancelTask, favoriteResult, requestPing } from "./components/job-buttons.ts";
import { redeem } from "./components/redeem-button.ts";
import { decideWithheld } from "./components/withheld-result.ts";
import { usage, changeUsageRange } from "./usage.ts";
import { video } from "./video.ts";
import type { Command } from "./framework/command.ts";
import type { Component } from "./framework/component.ts";

export const commands: readonly Command[] = [
	image,
	video,
	music,
	animateMessage,
	varyMessage,
	job,
	gallery,
	openStyleForm,
	help,
	credits,
	balance,
	quota,
	usage,
	settings,
	filter,
	block,
	unblock,
	blocks,
	style,
	setup,
	privacy,
	reportMessage,
];

export const components: readonly Component[] = [
	// Generation
	regenerate,
	vary,
	openEditForm,
	generateEdited,
	improvePrompt,
	openDraftForm,
	submitDraftForm,
	animate,
	openInputForm,
	generateFromInput,
	upscale,
	chooseImage,
	confirmDraft,
	declineDraft,
	// Jobs
	jobList.turnPage,
	cancelTask,
	requestPing,
	showFiles,
	// The gallery, and what members do with a result
	...galleryComponents,
	favoriteResult,
	openDeleteForm,
	deleteResultMessage,
	saveStyle,
	// Help
	showHelp,
	turnHelpPage,
	// Credits
	redeem,
	showLimits,
	changeUsageRange,
	historyList.turnPage,
	...quotaPanelComponents,
	// Settings
	turnSettingPage,
	pickChannel,
	...channelDefaultsComponents,
	...settingsPanelComponents,
	auditList.turnPage,
	blockList.turnPage,
	unblockListed,
	filterList.turnPage,
	removeListedPattern,
	styleList.turnPage,
	removeListedStyle,
	showSetupStep,
	finishSetup,
	...setupPanelComponents,
	// Privacy
	deleteMemberData,
	// Reports, and the moderators' decisions about them and about withheld results
	openReportForm,
	submitReport,
	moderateReport,
	submitModeration,
	decideWithheld,
];

/** Returns the bodies that register every command with Discord; without the option that improves prompts if no model can. */
export function definitionsFor({ hasImprover }: { readonly hasImprover: boolean }) {
	const all = commands.map(({ definition }) => definition);
	if (hasImprover) return all;
	return all.map((definition) =>
		"options" in definition && definition.options
			? { ...definition, options: definition.options.filter(({ name }) => name !== IMPROVE_OPTION) }
			: definition,
	);
}
