/** A button that revokes a key, after it has asked. */
import { useSignal } from "@preact/signals";
import { useApp } from "./app-context.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface RevokeKeyProps {
	readonly name: string;
	readonly revoke: () => Promise<void>;
}

export function RevokeKey({ name, revoke }: RevokeKeyProps) {
	const { t, notify } = useApp();
	const isAsking = useSignal(false);
	const run = async (): Promise<void> => {
		await revoke();
		notify(t("dashboard.keyRevoked", { name }));
	};
	return (
		<>
			<button type="button" class="button small danger" onClick={() => (isAsking.value = true)}>
				{t("dashboard.keyRevoke")}
			</button>
			{isAsking.value && (
				<ConfirmDialog
					title={t("dashboard.keyRevokeTitle", { name })}
					text={t("dashboard.keyRevokeText")}
					action={t("dashboard.keyRevoke")}
					run={run}
					onClose={() => (isAsking.value = false)}
				/>
			)}
		</>
	);
}
