/** The buttons of a job. */
import { useSignal } from "@preact/signals";
import type { Job } from "../../src/schemas/jobs.ts";
import { REPORT_REASON_CHARS_MAX, REPORT_REASON_CHARS_MIN } from "../../src/limits.ts";
import { useApp, useServer } from "./app-context.ts";
import { ConfirmButton } from "./confirm-dialog.tsx";
import { SignalField } from "./fields.tsx";
import { OpenLink } from "./open-link.tsx";

export type JobAction = Job["actions"][number];

const CALLS = { cancel: "cancelJob", delete: "deleteResult", refund: "refundJob" } as const;

interface JobButtonsProps {
	readonly job: Job;
	/** The actions that this list offers. */
	readonly actions: readonly JobAction[];
	/** Runs after an action, to read the list again. */
	readonly reload: () => void;
}

export function JobButtons({ job, actions, reload }: JobButtonsProps) {
	return (
		<div class="job-actions">
			<OpenLink url={job.url} />
			{job.actions
				.filter((action) => actions.includes(action))
				.map((action) => (
					<ActionButton key={action} job={job} action={action} reload={reload} />
				))}
		</div>
	);
}

interface ActionButtonProps extends Omit<JobButtonsProps, "actions"> {
	readonly action: JobAction;
}

function ActionButton({ job, action, reload }: ActionButtonProps) {
	const { t, call, notify, session } = useApp();
	const { params } = useServer();
	const reason = useSignal("");
	const of = { params: { ...params, job: job.id } };
	const run = async (): Promise<void> => {
		const { message } =
			action === "report"
				? await call("reportJob", { ...of, body: { reason: reason.value.trim() } })
				: await call(CALLS[action], of);
		notify(message, { hasMarkup: true });
	};
	return (
		<ConfirmButton
			title={t("dashboard.jobConfirmTitle", { action })}
			text={t("dashboard.jobConfirm", {
				action,
				credits: job.credits,
				removesFiles: job.userId !== session.value?.user.id,
			})}
			action={t("dashboard.jobAction", { action })}
			run={run}
			reload={reload}
		>
			{action === "report" && (
				<SignalField
					label={t("dashboard.reason")}
					chars={[REPORT_REASON_CHARS_MIN, REPORT_REASON_CHARS_MAX]}
					text={reason}
				/>
			)}
		</ConfirmButton>
	);
}
