/** Text fields of forms for numbers. */
import type { APITextInputComponent } from "discord.js";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { LIMIT_CREDITS_MAX } from "../../services/settings/settings-schema.ts";
import { UserError } from "../../services/user-error.ts";
import { textInput } from "./form-fields.ts";

/** The longest number, with separators. */
const NUMBER_CHARS_MAX = 15;
/** Allows thousands separators in the right places: 2.5 is not 25. */
const WHOLE_NUMBER = /^(\d{1,10}|\d{1,3}([\s.,'’_]\d{3})+)$/;

/** Builds the field of a number that may be missing: the field is then empty. */
export function numberInput(customId: string, stored: number | null | undefined): APITextInputComponent {
	return textInput(customId, String(stored ?? ""), NUMBER_CHARS_MAX);
}

/** Returns `null` for an empty text. Denies anything but a whole number up to `max`, with the name of the field. */
export function parseWholeNumber(field: MessageDescriptor, typed: string, max: number): number | null {
	const text = typed.trim();
	if (text === "") return null;
	const number = WHOLE_NUMBER.test(text) ? Number(text.replaceAll(/\D/g, "")) : Number.NaN;
	if (number <= max) return number;
	throw new UserError({ key: "settings.notNumber", params: { field, max } });
}

/** Returns `null` for an empty text, which means no limit. Denies anything but a valid number of credits. */
export function parseCredits(field: MessageDescriptor, typed: string): number | null {
	return parseWholeNumber(field, typed, LIMIT_CREDITS_MAX);
}
