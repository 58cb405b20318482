import { LRUCache } from "lru-cache";
import type { Member } from "../../services/access/member.ts";
import type { SubmittedValues } from "../framework/form-fields.ts";

/** Keeps the values of a denied form, so that the member's next form starts with them. In memory: a lost value is entered again. */
export interface DeniedForms {
	get(form: FormKey): SubmittedValues | undefined;
	set(form: FormKey, submitted: SubmittedValues): void;
	delete(form: FormKey): void;
}

interface FormKey extends Member {
	/** The setting, limit or channel that the form changes. */
	readonly field: string;
	/** Of the value that the form showed: with another value, a form starts with that one. */
	readonly valueChecksum?: number;
}

const FORMS_MAX = 1_000;

export function createDeniedForms(): DeniedForms {
	const forms = new LRUCache<string, SubmittedValues>({ max: FORMS_MAX });
	return {
		get: (form) => forms.get(keyOf(form)),
		set: (form, submitted) => void forms.set(keyOf(form), submitted),
		delete: (form) => void forms.delete(keyOf(form)),
	};
}

function keyOf({ guildId, userId, field, valueChecksum }: FormKey): string {
	return `${guildId} ${userId} ${field} ${valueChecksum}`;
}
