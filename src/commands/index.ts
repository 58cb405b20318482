/** All commands and components, by the feature in `src/app` that binds them. A new one is one line here. */
import { balance } from "./balance.ts";
import { block, blocks, turnBlockPage, unblock } from "./block.ts";
import { turnHistoryPage } from "./credits-history.ts";
import { credits } from "./credits.ts";
import { filter } from "./filter.ts";
import { gallery, galleryComponents } from "./gallery.ts";
import { IMPROVE_OPTION } from "./generation-command.ts";
import { help, turnHelpPage } from "./help.ts";
import { image } from "./image.ts";
import { job, turnJobPage } from "./job.ts";
import { music } from "./music.ts";
import { animateMessage, varyMessage } from "./components/context-menu.ts";
import { forget, privacy } from "./privacy.ts";
import { confirmTask, declineTask } from "./components/confirmation.ts";
import { quotaPanelComponents } from "./quota-panel.ts";
import { quota } from "./quota.ts";
import { moderate, reportButton, reportForm, reportMessage } from "./components/report.ts";
import { actOnImage, again, animate, chooseImage, imageAction, upscale, vary } from "./components/result-actions.ts";
import { askDelete, deleteResult } from "./components/result-delete.ts";
import { edited, openEditor } from "./components/result-edit.ts";
import { draftEdited, improvePrompt, openDraft } from "./components/improved-prompt.ts";
import { inputUsed, openInput, imageInputUsed } from "./components/result-input.ts";
import { turnAuditPage } from "./settings-audit.ts";
import { settings } from "./settings.ts";
import { setup, setupBudget, setupBudgetForm, setupChannels, setupRoles, setupStep } from "./setup.ts";
import { saveStyle, styleSaved } from "./style-save.ts";
import { styleList } from "./style-list.ts";
import { style } from "./style.ts";
import { settingsPanelComponents, turnSettingPage } from "./components/change-setting.ts";
import { channelDefaultsSaved, openChannelDefaults, pickChannel } from "./components/channel-defaults.ts";
import { cancelTask } from "./components/cancel-button.ts";
import { favoriteResult } from "./components/favorite-button.ts";
import { pingWhenDone } from "./components/ping-button.ts";
import { redeem } from "./components/redeem-button.ts";
import { decideWithheld } from "./components/withheld-result.ts";
import { showHelp, showLimits } from "./components/way-out.ts";
import { usage, usageRange } from "./usage.ts";
import { video } from "./video.ts";

export const taskCommands = {
	commands: [image, video, music, help, job, gallery],
	messageCommands: [animateMessage, varyMessage, saveStyle],
	components: [
		again,
		vary,
		openEditor,
		edited,
		improvePrompt,
		openDraft,
		draftEdited,
		animate,
		openInput,
		inputUsed,
		upscale,
		chooseImage,
		actOnImage,
		imageAction,
		imageInputUsed,
		askDelete,
		deleteResult,
		confirmTask,
		declineTask,
		cancelTask,
		pingWhenDone,
		styleSaved,
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
	components: [redeem, showLimits, usageRange, turnHistoryPage, ...quotaPanelComponents],
};

export const settingsCommands = {
	commands: [settings, filter, block, unblock, blocks, style, setup],
	components: [
		turnSettingPage,
		pickChannel,
		openChannelDefaults,
		channelDefaultsSaved,
		...settingsPanelComponents,
		turnAuditPage,
		turnBlockPage,
		styleList.turnPage,
		setupStep,
		setupChannels,
		setupRoles,
		setupBudget,
		setupBudgetForm,
	],
};

export const reportCommands = {
	messageCommands: [reportMessage],
	components: [reportButton, reportForm, moderate],
};

export const privacyCommands = { commands: [privacy], components: [forget] };

const COMMAND_SETS = [taskCommands, creditCommands, settingsCommands, privacyCommands, reportCommands];

/** Returns the bodies that register every command with Discord. */
export function definitionsFor({ canImprovePrompts }: { readonly canImprovePrompts: boolean }) {
	const all = COMMAND_SETS.flatMap((set) => [
		...("commands" in set ? set.commands : []).map(({ definition }) => definition),
		...("messageCommands" in set ? set.messageCommands : []).map(({ definition }) => definition),
	]);
	if (canImprovePrompts) return all;
	return all.map((definition) =>
		"options" in definition && definition.options
			? { ...definition, options: definition.options.filter(({ name }) => name !== IMPROVE_OPTION) }
			: definition,
	);
}
