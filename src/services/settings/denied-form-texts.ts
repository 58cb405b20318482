import { LRUCache } from "lru-cache";

/** Keeps the texts of a denied form, so that the member's next form starts with them. In memory: a lost text is typed again. */
export interface DeniedFormTexts {
	get(form: FormKey): Texts | undefined;
	set(form: FormKey, typed: Texts): void;
	delete(form: FormKey): void;
}

/** By the name of the text field. */
type Texts = Readonly<Record<string, string>>;

interface FormKey {
	readonly guildId: string;
	readonly userId: string;
	/** The setting or the limit that the form changes. */
	readonly field: string;
}

const FORMS_MAX = 1_000;

export function createDeniedFormTexts(): DeniedFormTexts {
	const inputs = new LRUCache<string, Texts>({ max: FORMS_MAX });
	return {
		get: (form) => inputs.get(keyOf(form)),
		set: (form, typed) => void inputs.set(keyOf(form), typed),
		delete: (form) => void inputs.delete(keyOf(form)),
	};
}

function keyOf({ guildId, userId, field }: FormKey): string {
	return `${guildId} ${userId} ${field}`;
}
