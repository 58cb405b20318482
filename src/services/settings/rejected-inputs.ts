import { LRUCache } from "lru-cache";

/** Texts that were typed into a form and denied, so that the next form starts with them. In memory: losing one costs a retyping. */
export interface RejectedInputs {
	get(form: FormKey): Texts | undefined;
	set(form: FormKey, typed: Texts): void;
	delete(form: FormKey): void;
}

/** By the name of the text field. */
type Texts = Readonly<Record<string, string>>;

interface FormKey {
	readonly guildId: string;
	readonly userId: string;
	readonly field: string;
}

const INPUTS_MAX = 1_000;

export function createRejectedInputs(): RejectedInputs {
	const inputs = new LRUCache<string, Texts>({ max: INPUTS_MAX });
	return {
		get: (form) => inputs.get(keyOf(form)),
		set: (form, typed) => void inputs.set(keyOf(form), typed),
		delete: (form) => void inputs.delete(keyOf(form)),
	};
}

function keyOf({ guildId, userId, field }: FormKey): string {
	return `${guildId} ${userId} ${field}`;
}
