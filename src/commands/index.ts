/** All commands and components, in sets that the features in `src/app` bind to their services. */
import { balance } from "./balance.ts";
import { block, blocks, turnBlockPage, unblock } from "./block.ts";
import { showLimits } from "./credits-card.ts";
import { credits, turnHistoryPage } from "./credits.ts";
import { filter, turnFilterPage } from "./filter.ts";
import { gallery, galleryComponents, showFiles } from "./gallery.ts";
import { IMPROVE_OPTION } from "./generation/generation-command.ts";
import { help, showHelp, turnHelpPage } from "./help.ts";
import { image } from "./image.ts";
import { job, turnJobPage } from "./job.ts";
import { music } from "./music.ts";
import { animateMessage, varyMessage } from "./context-menu.ts";
import { deleteMemberData, privacy } from "./privacy.ts";
import { confirmTask, declineTask } from "./components/confirmation.ts";
import { quotaPanelComponents } from "./quota-panel.ts";
import { quota } from "./quota.ts";
import { moderateReport, openReportForm, submitReport, reportMessage } from "./report.ts";
import { regenerate, animate, chooseImage, upscale, vary } from "./components/result-actions.ts";
import { askToDelete, deleteResult } from "./components/result-delete.ts";
import { generateEdited, openEditForm } from "./components/result-edit.ts";
import { generateFromDraft, improvePrompt, openDraftForm } from "./components/improved-prompt.ts";
import { generateFromInput, openInputForm } from "./components/result-input.ts";
import { settings, turnAuditPage } from "./settings/settings.ts";
import { setup, setupPanelComponents, showSetupStep } from "./setup.ts";
import { openStyleForm, saveStyle } from "./style-save.ts";
import { styleList, style } from "./style.ts";
import {
	channelDefaultsComponents,
	pickChannel,
	settingsPanelComponents,
	turnSettingPage,
} from "./settings/settings-panel.ts";
import { cancelTask, favoriteResult, requestPing } from "./components/job-buttons.ts";
import { redeem } from "./components/redeem-button.ts";
import { decideWithheld } from "./components/withheld-result.ts";
import { usage, changeUsageRange } from "./usage.ts";
import { video } from "./video.ts";

export const generationCommands = {
	commands: [image, video, music, animateMessage, varyMessage],
	components: [
		regenerate,
		vary,
		openEditForm,
		generateEdited,
		improvePrompt,
		openDraftForm,
		generateFromDraft,
		animate,
		openInputForm,
		generateFromInput,
		upscale,
		chooseImage,
		confirmTask,
		declineTask,
	],
};

export const jobCommands = {
	commands: [job],
	components: [turnJobPage, cancelTask, requestPing, showFiles],
};

/** The gallery, and what members do with a result. */
export const galleryCommands = {
	commands: [gallery, openStyleForm],
	components: [...galleryComponents, favoriteResult, askToDelete, deleteResult, saveStyle],
};

export const helpCommands = { commands: [help], components: [showHelp, turnHelpPage] };

export const creditCommands = {
	commands: [credits, balance, quota, usage],
	components: [redeem, showLimits, changeUsageRange, turnHistoryPage, ...quotaPanelComponents],
};

export const settingsCommands = {
	commands: [settings, filter, block, unblock, blocks, style, setup],
	components: [
		turnSettingPage,
		pickChannel,
		...channelDefaultsComponents,
		...settingsPanelComponents,
		turnAuditPage,
		turnBlockPage,
		turnFilterPage,
		styleList.turnPage,
		showSetupStep,
		...setupPanelComponents,
	],
};

/** Reports, and the moderators' decisions about them and about withheld results. */
export const reportCommands = {
	commands: [reportMessage],
	components: [openReportForm, submitReport, moderateReport, decideWithheld],
};

export const privacyCommands = { commands: [privacy], components: [deleteMemberData] };

export const COMMAND_SETS = [
	generationCommands,
	jobCommands,
	galleryCommands,
	helpCommands,
	creditCommands,
	settingsCommands,
	privacyCommands,
	reportCommands,
];

/** Returns the bodies that register every command with Discord; without the option that improves prompts if no model can. */
export function definitionsFor({ hasImprover }: { readonly hasImprover: boolean }) {
	const all = COMMAND_SETS.flatMap(({ commands }) => commands.map(({ definition }) => definition));
	if (hasImprover) return all;
	return all.map((definition) =>
		"options" in definition && definition.options
			? { ...definition, options: definition.options.filter(({ name }) => name !== IMPROVE_OPTION) }
			: definition,
	);
}
