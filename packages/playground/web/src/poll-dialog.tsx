/** The dialog in which the user starts a poll. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { errorText } from "./api.ts";
import { useApp } from "./app-context.ts";
import { IconButton } from "./icon.tsx";

const QUESTION_CHARS_MAX = 300;
const ANSWER_CHARS_MAX = 55;
const ANSWERS_MAX = 10;
const DURATIONS = { "1": "1 hour", "8": "8 hours", "24": "24 hours", "72": "3 days", "168": "1 week" };

export function PollDialog({ onClose }: { onClose: () => void }) {
	const { api, state } = useApp();
	const dialog = useRef<HTMLDialogElement>(null);
	const answerCount = useSignal(2);
	const error = useSignal("");
	const isBusy = useSignal(false);
	useLayoutEffect(() => dialog.current?.showModal(), []);

	async function send(form: FormData): Promise<void> {
		const textsOf = (name: string): string[] =>
			form.getAll(name).flatMap((value) => (typeof value === "string" && value.trim() !== "" ? value.trim() : []));
		const poll = {
			question: { text: textsOf("question").join("") },
			answers: textsOf("answer").map((text) => ({ poll_media: { text } })),
			allow_multiselect: form.has("multiselect"),
			duration: Number(form.get("duration")),
		};
		isBusy.value = true;
		try {
			await api.say({ channelId: state.channelId.value ?? "", content: "", files: [], poll });
			dialog.current?.close();
		} catch (cause) {
			error.value = errorText(cause);
		} finally {
			isBusy.value = false;
		}
	}

	return (
		<dialog ref={dialog} class="modal" aria-labelledby="poll-title" onClose={onClose}>
			<header class="modal-head">
				<h2 id="poll-title">Create a poll</h2>
				<IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
			</header>
			<form
				class="modal-form"
				autocomplete="off"
				aria-busy={isBusy.value}
				onSubmit={(event) => {
					event.preventDefault();
					if (!isBusy.value) void send(new FormData(event.currentTarget));
				}}
			>
				<div class="modal-fields">
					<label class="field">
						<span class="field-label">Question</span>
						<input type="text" name="question" autofocus required maxLength={QUESTION_CHARS_MAX} />
					</label>
					<fieldset class="field field-choices">
						<legend class="field-label">Answers</legend>
						{Array.from({ length: answerCount.value }, (_, at) => (
							<input
								key={at}
								type="text"
								name="answer"
								aria-label={`Answer ${at + 1}`}
								required={at === 0}
								maxLength={ANSWER_CHARS_MAX}
							/>
						))}
						{answerCount.value < ANSWERS_MAX && (
							<button type="button" class="text-button" onClick={() => (answerCount.value += 1)}>
								Add an answer
							</button>
						)}
					</fieldset>
					<label class="field">
						<span class="field-label">Duration</span>
						<select name="duration">
							{Object.entries(DURATIONS).map(([hours, name]) => (
								<option key={hours} value={hours} selected={hours === "24"}>
									{name}
								</option>
							))}
						</select>
					</label>
					<label class="field field-choice">
						<input type="checkbox" name="multiselect" />
						Allow several answers
					</label>
				</div>
				<p class="modal-error" role="alert">
					{error}
				</p>
				<div class="modal-foot">
					<button type="submit" class="button primary" disabled={isBusy.value}>
						Post
					</button>
				</div>
			</form>
		</dialog>
	);
}
