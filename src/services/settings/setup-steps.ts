import { z } from "zod";
import type { Store } from "@atelier/store/store";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import type { PlainKey } from "../../i18n/message-params.ts";
import { readDocument } from "../read-document.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { LIMIT_CREDITS_MAX } from "./settings-schema.ts";

/** The steps of `/setup`, in order. */
export const SETUP_STEPS = ["channels", "roles", "budget", "moderators", "summary"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

export const BUDGET_FIELDS = ["everyone", "server", "confirmAbove"] as const;
/** The texts of the budget form: the limit of each member, the limit of the server, and the cost that needs a confirmation. */
export type Budget = Readonly<Record<(typeof BUDGET_FIELDS)[number], string>>;

export const BUDGET_LABELS = {
	everyone: "form.setupMemberLimit",
	server: "form.setupServerLimit",
	confirmAbove: "form.setupConfirmAbove",
} as const satisfies Record<keyof Budget, PlainKey>;

const progressSchema = z.object({ step: z.enum(SETUP_STEPS) });
type Progress = z.infer<typeof progressSchema>;

/** Stores the current step of `/setup` of each guild. Choices are stored in the settings only. */
export interface SetupProgress {
	/** Resolves to the first step for a guild that has not started. */
	read(guildId: string): Promise<Progress>;
	write(guildId: string, progress: Progress): Promise<void>;
}

export function createSetupProgress(store: Store): SetupProgress {
	return {
		async read(guildId) {
			const { value = { step: "channels" } } = await readDocument(store, keyOf(guildId), progressSchema);
			return value;
		},
		write: (guildId, progress) => store.set(keyOf(guildId), progress),
	};
}

function keyOf(guildId: string): string {
	return `setup:${guildId}`;
}

/** Allows thousands separators in the right places: 2.5 is not 25. */
const WHOLE_NUMBER = /^(\d{1,10}|\d{1,3}([\s.,'’_]\d{3})+)$/;

/** Converts the input to settings; an empty field means no limit. A denial names the invalid field. */
export function changeBudget(settings: GuildSettings, typed: Budget): GuildSettings {
	const creditsOf = (field: keyof Budget): number | null => parseCredits({ key: BUDGET_LABELS[field] }, typed[field]);
	const everyone = creditsOf("everyone");
	const server = creditsOf("server");
	const confirmAbove = creditsOf("confirmAbove");
	return {
		...settings,
		allowance: { ...settings.allowance, everyone },
		serverLimit: server === null ? null : { credits: server, per: settings.serverLimit?.per ?? "month" },
		confirmAbove,
	};
}

/** Returns the texts of the budget form for the current settings. */
export function budgetOf({ allowance, serverLimit, confirmAbove }: GuildSettings): Budget {
	return {
		everyone: creditsText(allowance.everyone),
		server: creditsText(serverLimit?.credits ?? null),
		confirmAbove: creditsText(confirmAbove),
	};
}

/** The longest number in a text input, with separators. */
export const NUMBER_CHARS_MAX = 15;

/** Returns the text of a number in a form: empty for `null`, which means no limit. */
export function creditsText(credits: number | null): string {
	return credits === null ? "" : String(credits);
}

/** Returns `null` for an empty text. Denies anything but a whole number up to `max`, with the name of the field. */
export function parseWholeNumber(field: MessageDescriptor, typed: string, max: number): number | null {
	const text = typed.trim();
	if (text === "") return null;
	const number = WHOLE_NUMBER.test(text) ? Number(text.replaceAll(/\D/g, "")) : Number.NaN;
	if (number <= max) return number;
	throw new UserError({ key: "setup.notNumber", params: { field, max } });
}

/** Returns `null` for an empty text, which means no limit. Denies anything but a valid number of credits. */
export function parseCredits(field: MessageDescriptor, typed: string): number | null {
	return parseWholeNumber(field, typed, LIMIT_CREDITS_MAX);
}
