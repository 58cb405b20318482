import { expect, test } from "vitest";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { explainError } from "../../src/cli/explain-error.ts";

test("an unreadable document is explained with its cause, and with what to do", () => {
	expect(explainError(new CorruptDocumentError("task:1", new Error("PROMPT_KEYS is not set")))).toBe(
		"the document task:1 cannot be read (PROMPT_KEYS is not set). docs/runbook.md, Log messages, says what to do.",
	);
});
