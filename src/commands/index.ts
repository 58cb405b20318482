/** All commands and components, by the feature in `src/app` that binds them. A new one is one line here. */
import { balance } from "./balance.ts";
import { block, blocks, turnBlockPage, unblock } from "./block.ts";
import { showLimits } from "./credits-card.ts";
import { credits, turnHistoryPage } from "./credits.ts";
import { filter, turnFilterPage } from "./filter.ts";
import { gallery, galleryComponents } from "./gallery.ts";
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

export const taskCommands = {
	commands: [image, video, music, help, job, gallery, animateMessage, varyMessage, openStyleForm],
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
		askToDelete,
		deleteResult,
		confirmTask,
		declineTask,
		cancelTask,
		requestPing,
		saveStyle,
		turnJobPage,
		favoriteResult,
		...galleryComponents,
		decideWithheld,
		showHelp,
		turnHelpPage,
	],
};

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

export const reportCommands = {
	commands: [reportMessage],
	components: [openReportForm, submitReport, moderateReport],
};

export const privacyCommands = { commands: [privacy], components: [deleteMemberData] };

const COMMAND_SETS = [taskCommands, creditCommands, settingsCommands, privacyCommands, reportCommands];

/** Returns the bodies that register every command with Discord; without the option that improves prompts if no model can. */
export function definitionsFor({ canImprovePrompts }: { readonly canImprovePrompts: boolean }) {
	const all = COMMAND_SETS.flatMap(({ commands }) => commands.map(({ definition }) => definition));
	if (canImprovePrompts) return all;
	return all.map((definition) =>
		"options" in definition && definition.options
			? { ...definition, options: definition.options.filter(({ name }) => name !== IMPROVE_OPTION) }
			: definition,
	);
}
