/** The editors of the settings in the panel of `/settings`, with their forms. No I/O. */
import { MEDIA_TYPES, type Model } from "@atelier/media-protocol/model";
import { CHOICES_MAX } from "../../discord/card.ts";
import { mediaTypeName } from "../../i18n/message-param-values.ts";
import { knownModels, type ModelCatalog } from "../../services/generation/model-catalog.ts";
import { CATEGORIES } from "@atelier/dashboard/server-settings";
import { replaceShownAccessLists, setListedModels, setPause } from "../../services/settings/change-access.ts";
import type { SettingField } from "../../services/settings/format-settings.ts";
import { setValues } from "../../services/settings/setting-table.ts";
import { PAUSE_CHARS_MAX } from "@atelier/dashboard/limits";
import { UserError } from "../../services/user-error.ts";
import type { SettingEditor } from "./setting-editor.ts";
import { formEditor, editorOfPath, formFieldOfPath } from "./form-editor.ts";
import { channelsField, excludedChoicesField, rolesField, textField } from "./value-fields.ts";
import type { CommandServices } from "../command-services.ts";

export const MEDIA_TYPE_LABELS = MEDIA_TYPES.map((value) => ({ value, label: mediaTypeName(value) }));

/** Returns the editor of a setting: how it is read, changed and asked for in a form. */
export function editorOfField(field: SettingField): SettingEditor {
	return isSpecial(field) ? SPECIAL_EDITORS[field] : editorOfPath(field);
}

function isSpecial(field: SettingField): field is keyof typeof SPECIAL_EDITORS {
	return Object.hasOwn(SPECIAL_EDITORS, field);
}

const accessHint = (kind: "channels" | "roles") => ({ key: "form.accessListsHint", params: { kind } }) as const;

/** The settings with a form or a change of their own; for all others the kind of their value decides. */
const SPECIAL_EDITORS = {
	paused: {
		...formEditor({
			name: { key: "field.paused" },
			fields: () => ({
				message: textField({ key: "option.pauseMessage" }, PAUSE_CHARS_MAX, { key: "form.pauseMessageHint" }),
			}),
			// The form only starts a pause, so there is no earlier message.
			formValuesOf: () => ({ message: "" }),
			apply: (before, { message }) => setPause(before, true, message),
		}),
		buttonLabel: ({ access }) => ({ key: access.paused ? "button.resume" : "button.pause" }),
		readValue: ({ access }) => access.paused,
		// A pause ends at once. Its start asks for a message.
		toggle: ({ access }) => (access.paused ? (before) => setPause(before, false) : undefined),
	},
	channels: formEditor({
		name: { key: "field.channels" },
		fields: () => ({
			allowed: channelsField({ key: "field.channelsAllowed" }, accessHint("channels")),
			denied: channelsField({ key: "field.channelsDenied" }),
		}),
		formValuesOf: ({ access }) => access.channels,
		apply: (before, lists) => replaceShownAccessLists(before, "channels", { ...lists, shownMax: CHOICES_MAX }),
	}),
	roles: formEditor({
		name: { key: "field.roles" },
		fields: () => ({
			allowed: rolesField({ key: "field.rolesAllowed" }, accessHint("roles")),
			denied: rolesField({ key: "field.rolesDenied" }),
		}),
		formValuesOf: ({ access }) => access.roles,
		apply: (before, lists) => replaceShownAccessLists(before, "roles", { ...lists, shownMax: CHOICES_MAX }),
	}),
	media: formEditor({
		name: { key: "field.mediaAllowed" },
		fields: () => ({ off: excludedChoicesField({ key: "field.mediaAllowed" }, MEDIA_TYPE_LABELS) }),
		formValuesOf: ({ access }) => ({ off: access.mediaOff }),
		apply: (before, { off }) => setValues(before, { "access.mediaOff": [...off] }),
	}),
	models: formEditor({
		name: { key: "field.modelsAllowed" },
		fields({ catalog }: CommandServices) {
			return { off: excludedChoicesField({ key: "field.modelsAllowed" }, modelMenuChoices(listedModels(catalog))) };
		},
		formValuesOf: ({ access }) => ({ off: access.modelsOff }),
		apply(before, { off }, { services }) {
			const listedIds = listedModels(services.catalog).map(({ id }) => id);
			return setListedModels(before, listedIds, off);
		},
	}),
	safety: formEditor({
		name: { key: "field.safety" },
		fields({ settingsService }: CommandServices) {
			settingsService.requireProvided("moderation");
			return Object.fromEntries(CATEGORIES.map((category) => [category, formFieldOfPath(`safety.${category}`)]));
		},
		formValuesOf: ({ safety }) => safety,
		apply: (before, rules) => ({ ...before, safety: { ...before.safety, ...rules } }),
	}),
	showcase: formEditor({
		name: { key: "field.showcase" },
		fields: () => ({
			channel: formFieldOfPath("showcase.channelId"),
			stars: formFieldOfPath("showcase.stars"),
		}),
		formValuesOf: ({ showcase }) => ({ channel: showcase.channelId, stars: showcase.stars }),
		apply: (before, { channel, stars }) =>
			setValues(before, {
				"showcase.channelId": channel,
				// An empty field keeps the stored number. The fewest stars are one: a typed 0 can only mean that, and needs no denial.
				"showcase.stars": stars === null ? before.showcase.stars : Math.max(1, stars),
			}),
	}),
} satisfies Partial<Record<SettingField, SettingEditor>>;

/** Returns the models that a menu has room for. Others keep their setting. */
export function listedModels(
	catalog: Pick<ModelCatalog, "known">,
	isOffered: (model: Model) => boolean = () => true,
): readonly Model[] {
	return knownModels(catalog).filter(isOffered).slice(0, CHOICES_MAX);
}

/** Returns models as choices of a menu. Throws a `UserError` while none are known: a menu cannot be empty. */
export function modelMenuChoices(models: readonly Model[]) {
	if (models.length === 0) throw new UserError({ key: "service.down" });
	return models.map(({ id, name }) => ({ value: id, label: name }));
}
