import { OperatorError } from "@atelier/common/operator-error";
import { ConfigError } from "../config/config-error.ts";
import { isErrno } from "@atelier/common/is-errno";
import { DamagedBackupError, BackupExistsError } from "../services/backup/backup-file.ts";
import { t } from "../i18n/messages.ts";
import { CorruptDocumentError, StoreUnavailableError } from "@atelier/store/store-errors";
import { UserError } from "../services/user-error.ts";
import { explainSystemError } from "../config/startup-errors.ts";

export function explainError(error: unknown): string {
	if (error instanceof UserError) return t("en", error.messageDescriptor);
	if (error instanceof ConfigError || error instanceof OperatorError) return error.message;
	if (error instanceof StoreUnavailableError)
		return `The store is unavailable (${error.message}). Run the command again.`;
	if (error instanceof CorruptDocumentError) {
		const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
		return `${error.message}${cause}. docs/runbook.md, Log messages, says what to do.`;
	}
	if (error instanceof DamagedBackupError) return `The file cannot be used: ${error.message}. Nothing was changed.`;
	if (error instanceof BackupExistsError) return error.message;
	if (isErrno(error, "ENOENT") && error.path !== undefined)
		return `There is no file or folder ${error.path}. Nothing was changed.`;
	if (isErrno(error, "EISDIR")) return "A file is needed, and this is a folder. Nothing was changed.";
	const explanation = explainSystemError(error);
	if (explanation !== undefined) return `Failed: ${explanation}`;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
