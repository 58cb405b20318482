/** Blocked members, and the form that blocks one. */
import { useSignal } from "@preact/signals";
import { BLOCK_REASON_CHARS_MAX } from "../../src/limits.ts";
import type { Blocks } from "../../src/schemas/moderation.ts";
import { ApiError } from "./api-error.ts";
import { useApp, useServer } from "./app-context.ts";
import { Card, Time } from "./card.tsx";
import { ConfirmButton } from "./confirm-dialog.tsx";
import { SelectField, SignalField } from "./fields.tsx";
import { Form, SubmitButton } from "./form.tsx";
import { MemberField, useMemberSearch } from "./member-field.tsx";
import { MemberName } from "./member-name.tsx";
import { Loaded, useResource } from "./load-data.tsx";

const HOUR_MS = 3_600_000;
const DURATIONS = {
	hour: HOUR_MS,
	day: 24 * HOUR_MS,
	week: 7 * 24 * HOUR_MS,
	month: 30 * 24 * HOUR_MS,
	ever: null,
} as const;
/** `date`: until a time that the reader chooses. */
const CHOICES = [...(Object.keys(DURATIONS) as (keyof typeof DURATIONS)[]), "date"] as const;
type Duration = (typeof CHOICES)[number];

/** `undefined` for a text that is no time in the future. */
function untilMsOf(duration: Duration, date: string): number | null | undefined {
	const nowMs = Date.now();
	if (duration !== "date") return DURATIONS[duration] === null ? null : nowMs + DURATIONS[duration];
	const untilMs = Date.parse(date);
	return untilMs > nowMs ? untilMs : undefined;
}

export function BlocksCard() {
	const { t, call, formats, notify } = useApp();
	const { params, names } = useServer();
	const blocks = useResource(() => call("blocks", { params }), []);
	const unblock = async (userId: string): Promise<void> => {
		blocks.set(await call("unblock", { params: { ...params, member: userId } }));
		notify(t("dashboard.unblocked", { name: names.nameOf(userId) }));
	};
	return (
		<Card title={t("dashboard.blockedMembers")} lead={t("dashboard.blockedLead")}>
			<Loaded resource={blocks}>
				{({ blocks: listed }) =>
					listed.length === 0 ? (
						<p class="empty">{t("block.empty")}</p>
					) : (
						<ul class="rows">
							{listed.map((block) => (
								<li key={block.userId} class="row">
									<div class="row-name">
										<MemberName id={block.userId} withAvatar />
										<p class="facts">
											<span>{block.reason}</span>
											<span>
												{block.untilMs === null
													? t("dashboard.duration", { duration: "ever" })
													: t("dashboard.blockedUntil", { date: formats.moment(block.untilMs) })}
											</span>
											<span>
												<Time atMs={block.atMs} text={t("dashboard.blockedAge", { age: formats.age(block.atMs) })} /> ·{" "}
												<MemberName id={block.byUserId} />
											</span>
										</p>
									</div>
									<ConfirmButton
										title={t("dashboard.unblockTitle", { name: names.nameOf(block.userId) })}
										text={t("dashboard.unblockText")}
										action={t("dashboard.unblock")}
										run={() => unblock(block.userId)}
									/>
								</li>
							))}
						</ul>
					)
				}
			</Loaded>
			<BlockForm onBlocked={blocks.set} />
		</Card>
	);
}

function BlockForm({ onBlocked }: { readonly onBlocked: (blocks: Blocks) => void }) {
	const { t, call, notify } = useApp();
	const { params, names } = useServer();
	const search = useMemberSearch();
	const reason = useSignal("");
	const duration = useSignal<Duration>("week");
	const date = useSignal("");
	const untilMs = untilMsOf(duration.value, date.value);
	const block = async (): Promise<void> => {
		const userId = search.memberId();
		const endsAtMs = untilMsOf(duration.value, date.value);
		if (userId === null) return;
		// The time may have passed since the form was checked.
		if (endsAtMs === undefined) throw new ApiError(null, "invalid", t("dashboard.blockUntilInvalid"));
		const sentReason = reason.value;
		const body = { reason: sentReason.trim(), untilMs: endsAtMs };
		onBlocked(await call("block", { params: { ...params, member: userId }, body }));
		notify(t("dashboard.blocked", { name: names.nameOf(userId) }));
		// Texts that the reader typed during the request are for the next block.
		if (search.memberId() === userId) search.clear();
		if (reason.value === sentReason) reason.value = "";
	};
	return (
		<Form class="form block-form" run={block}>
			<MemberField label={t("dashboard.columnMember")} hint={t("dashboard.memberHint")} search={search} />
			<div class="field-row">
				<SignalField
					label={t("dashboard.reason")}
					hint={t("dashboard.blockReasonHint")}
					chars={[1, BLOCK_REASON_CHARS_MAX]}
					text={reason}
				/>
				<SelectField<Duration>
					label={t("dashboard.blockDuration")}
					value={duration.value}
					options={CHOICES.map((each) => [each, t("dashboard.duration", { duration: each })])}
					onChange={(value) => (duration.value = value)}
				/>
				{duration.value === "date" && (
					<SignalField
						type="datetime-local"
						label={t("dashboard.blockUntil")}
						text={date}
						problem={untilMs === undefined ? t("dashboard.blockUntilInvalid") : undefined}
					/>
				)}
			</div>
			<div class="form-foot">
				<SubmitButton>{t("dashboard.block")}</SubmitButton>
			</div>
		</Form>
	);
}
