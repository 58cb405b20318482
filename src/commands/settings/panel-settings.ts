/** The settings of the panel of `/settings`, with their forms. No I/O. */
import { MEDIA_TYPES, type Model } from "@atelier/media-protocol/model";
import { CHOICES_MAX } from "../../discord/card.ts";
import { mediaTypeName } from "../../i18n/message-param-values.ts";
import { knownModels, type ModelCatalog } from "../../services/generation/model-catalog.ts";
import { CATEGORIES } from "@atelier/dashboard/server-settings";
import { changeLists, changeModels, changePause } from "../../services/settings/change-access.ts";
import type { SettingField } from "../../services/settings/format-settings.ts";
import { setValues } from "../../services/settings/setting-table.ts";
import { PAUSE_CHARS_MAX } from "@atelier/dashboard/limits";
import { UserError } from "../../services/user-error.ts";
import type { PanelSetting } from "./panel.ts";
import {
	channelsField,
	excludedChoicesField,
	formSetting,
	panelSetting,
	rolesField,
	settingField,
	textField,
} from "./setting-form.ts";
import type { CommandServices } from "../command-services.ts";

export const MEDIA_TYPE_LABELS = MEDIA_TYPES.map((value) => ({ value, label: mediaTypeName(value) }));

/** Returns a setting of the panel: how it is read, changed and asked for in a form. */
export function panelSettingOf(field: SettingField): PanelSetting {
	return isSpecial(field) ? SPECIAL_SETTINGS[field] : panelSetting(field);
}

function isSpecial(field: SettingField): field is keyof typeof SPECIAL_SETTINGS {
	return Object.hasOwn(SPECIAL_SETTINGS, field);
}

const accessHint = (kind: "channels" | "roles") => ({ key: "form.accessListsHint", params: { kind } }) as const;

/** The settings with a form or a change of their own; for all others the kind of their value decides. */
const SPECIAL_SETTINGS = {
	paused: {
		...formSetting({
			name: { key: "field.paused" },
			fields: () => ({
				message: textField({ key: "option.pauseMessage" }, PAUSE_CHARS_MAX, { key: "form.pauseMessageHint" }),
			}),
			// The form only starts a pause, so there is no earlier message.
			formValuesOf: () => ({ message: "" }),
			apply: (before, { message }) => changePause(before, true, message),
		}),
		buttonLabel: ({ access }) => ({ key: access.paused ? "button.resume" : "button.pause" }),
		readValue: ({ access }) => access.paused,
		// A pause ends at once. Its start asks for a message.
		toggle: ({ access }) => (access.paused ? (before) => changePause(before, false) : undefined),
	},
	channels: formSetting({
		name: { key: "field.channels" },
		fields: () => ({
			allowed: channelsField({ key: "field.channelsAllowed" }, accessHint("channels")),
			denied: channelsField({ key: "field.channelsDenied" }),
		}),
		formValuesOf: ({ access }) => access.channels,
		apply: (before, lists) => changeLists(before, "channels", { ...lists, shownMax: CHOICES_MAX }),
	}),
	roles: formSetting({
		name: { key: "field.roles" },
		fields: () => ({
			allowed: rolesField({ key: "field.rolesAllowed" }, accessHint("roles")),
			denied: rolesField({ key: "field.rolesDenied" }),
		}),
		formValuesOf: ({ access }) => access.roles,
		apply(before, lists, { guildId }) {
			if ([...lists.allowed, ...lists.denied].includes(guildId)) throw new UserError({ key: "settings.everyoneRole" });
			return changeLists(before, "roles", { ...lists, shownMax: CHOICES_MAX });
		},
	}),
	media: formSetting({
		name: { key: "field.mediaAllowed" },
		fields: () => ({ off: excludedChoicesField({ key: "field.mediaAllowed" }, MEDIA_TYPE_LABELS) }),
		formValuesOf: ({ access }) => ({ off: access.mediaOff }),
		apply: (before, { off }) => setValues(before, { "access.mediaOff": [...off] }),
	}),
	models: formSetting({
		name: { key: "field.modelsAllowed" },
		fields({ catalog }: CommandServices) {
			return { off: excludedChoicesField({ key: "field.modelsAllowed" }, modelChoices(listedModels(catalog))) };
		},
		formValuesOf: ({ access }) => ({ off: access.modelsOff }),
		apply(before, { off }, { services }) {
			const listedIds = listedModels(services.catalog).map(({ id }) => id);
			return changeModels(before, listedIds, off);
		},
	}),
	safety: formSetting({
		name: { key: "field.safety" },
		fields({ settingsService }: CommandServices) {
			settingsService.requireProvided("moderation");
			return Object.fromEntries(CATEGORIES.map((category) => [category, settingField(`safety.${category}`)]));
		},
		formValuesOf: ({ safety }) => safety,
		apply: (before, rules) => ({ ...before, safety: { ...before.safety, ...rules } }),
	}),
	showcase: formSetting({
		name: { key: "field.showcase" },
		fields: () => ({
			channel: settingField("showcase.channelId"),
			stars: settingField("showcase.stars"),
		}),
		formValuesOf: ({ showcase }) => ({ channel: showcase.channelId, stars: showcase.stars }),
		apply: (before, { channel, stars }) =>
			setValues(before, {
				"showcase.channelId": channel,
				// An empty field keeps the stored number. The fewest stars are one: a typed 0 can only mean that, and needs no denial.
				"showcase.stars": stars === null ? before.showcase.stars : Math.max(1, stars),
			}),
	}),
} satisfies Partial<Record<SettingField, PanelSetting>>;

/** Returns the models that a menu has room for. Others keep their setting. */
export function listedModels(
	catalog: Pick<ModelCatalog, "known">,
	isOffered: (model: Model) => boolean = () => true,
): readonly Model[] {
	return knownModels(catalog).filter(isOffered).slice(0, CHOICES_MAX);
}

/** Returns models as choices of a menu. Throws a `UserError` while none are known: a menu cannot be empty. */
export function modelChoices(models: readonly Model[]) {
	if (models.length === 0) throw new UserError({ key: "service.down" });
	return models.map(({ id, name }) => ({ value: id, label: name }));
}
