/** A poll: a button for each answer, which adds or takes back the user's vote. */
import { useSignal } from "@preact/signals";
import type { APIMessage, APIPoll } from "discord-api-types/v10";
import { useApp } from "./app-context.ts";
import { targetOf } from "./app.ts";
import { emojiText } from "./emoji-text.ts";
import { Icon } from "./icon.tsx";
import { Timestamp } from "./time-text.tsx";

export function Poll({ message, poll }: { message: APIMessage; poll: APIPoll }) {
	const { api, runAndReport } = useApp();
	const { question, answers, results, allow_multiselect: allowsMultiselect, expiry } = poll;
	const counts = new Map(results?.answer_counts.map((each) => [each.id, each]));
	const chosen = answers.map((answer) => answer.answer_id).filter((id) => counts.get(id)?.me_voted);
	const total = [...counts.values()].reduce((sum, { count }) => sum + count, 0);
	const hasEnded = results?.is_finalized === true;
	const wantsResults = useSignal(false);
	// As in Discord, results do not influence a vote.
	const hasResults = hasEnded || chosen.length > 0 || wantsResults.value;

	function toggle(id: number): void {
		const others = allowsMultiselect ? chosen.filter((each) => each !== id) : [];
		runAndReport(api.vote({ ...targetOf(message), answers: chosen.includes(id) ? others : [...others, id] }));
	}

	return (
		<section class="poll" aria-label={`Poll: ${question.text}`}>
			<h3 class="poll-question">{question.text}</h3>
			<p class="note">
				{hasEnded ? "The poll has ended." : allowsMultiselect ? "Select one or more answers." : "Select one answer."}
			</p>
			<ul>
				{answers.map(({ answer_id: id, poll_media: { text, emoji } }) => {
					const count = counts.get(id)?.count ?? 0;
					const percent = total === 0 ? 0 : Math.round((count / total) * 100);
					return (
						<li key={id}>
							<button
								type="button"
								class="row poll-answer"
								aria-pressed={chosen.includes(id)}
								disabled={hasEnded}
								style={{ "--share": `${hasResults ? percent : 0}%` }}
								onClick={() => toggle(id)}
							>
								{emoji && <span aria-hidden="true">{emojiText(emoji)}</span>}
								<span class="poll-text">{text}</span>
								{chosen.includes(id) && <Icon name="check" />}
								{hasResults && (
									<span class="note">
										{count} {count === 1 ? "vote" : "votes"} · {percent}%
									</span>
								)}
							</button>
						</li>
					);
				})}
			</ul>
			<p class="note">
				{total} {total === 1 ? "vote" : "votes"}
				{!hasEnded && expiry !== null && (
					<>
						{" · ends "}
						<Timestamp seconds={Date.parse(expiry) / 1000} style="R" />
					</>
				)}
				{!hasEnded && chosen.length === 0 && (
					<>
						{" · "}
						<button type="button" class="text-button" onClick={() => (wantsResults.value = !wantsResults.value)}>
							{wantsResults.value ? "Hide results" : "Show results"}
						</button>
					</>
				)}
			</p>
		</section>
	);
}
