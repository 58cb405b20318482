/** Texts that were typed into a form and denied, so that the next form starts with them. In memory: losing one costs a retyping. */
export interface RejectedInputs {
	of(key: InputKey): Texts | undefined;
	/** `undefined` forgets the input. */
	note(key: InputKey, typed: Texts | undefined): void;
}

/** By the name of the text field. */
type Texts = Readonly<Record<string, string>>;

interface InputKey {
	readonly guildId: string;
	readonly userId: string;
	readonly field: string;
}

/** The oldest input is dropped first. */
const INPUTS_MAX = 1_000;

function nameOf({ guildId, userId, field }: InputKey): string {
	return `${guildId} ${userId} ${field}`;
}

export function createRejectedInputs(): RejectedInputs {
	const inputs = new Map<string, Texts>();
	return {
		of: (key) => inputs.get(nameOf(key)),
		note(key, typed) {
			inputs.delete(nameOf(key));
			if (typed === undefined) return;
			inputs.set(nameOf(key), typed);
			const [oldest] = inputs.keys();
			if (inputs.size > INPUTS_MAX && oldest !== undefined) inputs.delete(oldest);
		},
	};
}
