/** The form in which the user starts a poll. */
import { lengthProblem, POLL_ANSWER_CHARS_MAX, POLL_ANSWERS_MAX } from "../../src/limits.ts";
import { useApp } from "./app-context.ts";
import type { FieldInput } from "./contract.ts";
import { COMPONENT, PARAGRAPH_STYLE } from "./discord-constants.ts";
import { FormDialog } from "./form-dialog.tsx";

const DURATIONS = { "1": "1 hour", "8": "8 hours", "24": "24 hours", "72": "3 days", "168": "1 week" };
const options = Object.entries(DURATIONS).map(([value, label]) => ({ value, label, default: value === "24" }));
const labeled = (label: string, component: object) => ({ type: COMPONENT.label, label, component });
const FIELDS = [
	labeled("Question", { type: COMPONENT.textInput, custom_id: "question", max_length: 300 }),
	labeled("Answers", {
		type: COMPONENT.textInput,
		custom_id: "answers",
		style: PARAGRAPH_STYLE,
		max_length: 600,
		placeholder: "One on each line",
	}),
	labeled("Duration", { type: COMPONENT.stringSelect, custom_id: "duration", options }),
	labeled("Allow several answers", { type: COMPONENT.checkbox, custom_id: "multiselect" }),
];

export function PollDialog({ onClose }: { onClose: () => void }) {
	const { api, state } = useApp();
	async function post(fields: readonly FieldInput[]): Promise<void> {
		const valueOf = (name: string) => fields.find(({ customId }) => customId === name);
		const lines = String(valueOf("answers")?.value)
			.split("\n")
			.map((line) => line.trim());
		const answers = lines.filter((line) => line !== "");
		if (answers.length > POLL_ANSWERS_MAX) throw new Error(`A poll has at most ${POLL_ANSWERS_MAX} answers.`);
		for (const answer of answers) {
			const problem = lengthProblem(answer, { min: 1, max: POLL_ANSWER_CHARS_MAX });
			if (problem !== undefined) throw new Error(`The answer “${answer}” ${problem}`);
		}
		const poll = {
			question: { text: String(valueOf("question")?.value) },
			answers: answers.map((text) => ({ poll_media: { text } })),
			allow_multiselect: valueOf("multiselect")?.value === true,
			duration: Number(valueOf("duration")?.values?.[0]),
		};
		await api.say({ channelId: state.channelId.value ?? "", content: "", files: [], poll });
	}
	return <FormDialog title="Create a poll" components={FIELDS} submitLabel="Post" onSubmit={post} onClose={onClose} />;
}
