/** Asks before it revokes a key. */
import { useApp } from "./app-context.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

interface RevokeKeyProps {
	readonly name: string;
	readonly revoke: () => Promise<void>;
	readonly onClose: () => void;
}

export function RevokeKey({ name, revoke, onClose }: RevokeKeyProps) {
	const { t, notify } = useApp();
	const run = async (): Promise<void> => {
		await revoke();
		notify(t("dashboard.keyRevoked", { name }));
	};
	return (
		<ConfirmDialog
			title={t("dashboard.keyRevokeTitle", { name })}
			text={t("dashboard.keyRevokeText")}
			action={t("dashboard.keyRevoke")}
			run={run}
			onClose={onClose}
		/>
	);
}

export function RevokeKeyButton({ onClick }: { readonly onClick: () => void }) {
	const { t } = useApp();
	return (
		<button type="button" class="button small danger" onClick={onClick}>
			{t("dashboard.keyRevoke")}
		</button>
	);
}
