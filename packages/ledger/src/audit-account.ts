/**
 * Recomputes every invariant of an account from its journal alone, and reports differences. Repairs nothing.
 * Pure: takes an account and its entries, oldest first, in one pass over a journal of any length. Checks each entry
 * against the previous one, and the account against the sum, so a wrong number does not cause findings at all later
 * entries.
 */
import { availableCredits, heldCredits, openHold, sumShares, type Account, type Share } from "./account.ts";
import type { AccountId, Credits, Entry } from "./ledger.ts";

export const AUDIT_RULES = [
	/** Accounts, journal pages, index documents and the tasks of holds are readable. */
	"readable",
	/** Entries are numbered from 1 without gaps, and the account knows the newest. */
	"gapless",
	/** No operation has two entries. */
	"once",
	/** Each balance is the previous one plus the entry's change. */
	"running balance",
	/** `posted` = grants - charges - expiries +- adjustments. */
	"posted",
	/** `held` is the sum of the open holds. */
	"held",
	/** A hold ends at most once, for at most its reserved amount. */
	"hold",
	/** Held and charged credits are covered by the balance, apart from an overdraft. */
	"covered",
	/** Expiring credits are part of the available credits or of their hold, and at most the granted amount. */
	"shares",
	/** The index leads to each final entry in the journal. */
	"index",
	/** Each open hold of a server or a limit belongs to an open task. */
	"task",
] as const;
type AuditRule = (typeof AUDIT_RULES)[number];

export interface AuditFinding {
	readonly account: AccountId;
	readonly rule: AuditRule;
	/** The audited item: an entry, a hold, a grant, or a field of the account. */
	readonly subject: string;
	readonly expected: string | number;
	readonly found: string | number;
}

/** Only the accounts of limits have an overdraft: they start at zero and go below it. */
function hasOverdraft(id: AccountId): boolean {
	return /^(?:use|studio-cap):/.test(id);
}

export function createJournalAudit(id: AccountId, account: Account) {
	const findings: AuditFinding[] = [];
	const operationIds = new Set<string>();
	const open = new Map<string, Credits>();
	const granted = new Map<string, Credits>();
	const expired = new Map<string, Credits>();
	let seq = 0;
	let postedCredits = 0;
	/** The balance after the latest entry. */
	let after = { posted: 0, held: 0 };

	function expect(
		rule: AuditRule,
		subject: string,
		expected: string | number,
		found: string | number,
		isCorrect = expected === found,
	): void {
		if (!isCorrect) findings.push({ account: id, rule, subject, expected, found });
	}

	/** Returns the change that the entry should have made. */
	function changeOf({ kind, amountCredits, operationId, reason, seq: number }: Entry): {
		posted: number;
		held: number;
	} {
		const subject = `entry ${number}: ${operationId}`;
		switch (kind) {
			case "grant":
				granted.set(operationId, amountCredits);
				return { posted: amountCredits, held: 0 };
			case "adjust":
				return { posted: amountCredits, held: 0 };
			case "expire":
				expired.set(reason, (expired.get(reason) ?? 0) + amountCredits);
				return { posted: -amountCredits, held: 0 };
			case "reserve": {
				const holdId = operationId.slice("reserve:".length);
				const hasEnded = operationIds.has(`post:${holdId}`) || operationIds.has(`void:${holdId}`);
				expect("hold", subject, "a hold that has not ended", hasEnded ? "an ended one" : "a new one", !hasEnded);
				if (!hasEnded) open.set(holdId, amountCredits);
				return { posted: 0, held: amountCredits };
			}
			case "post": {
				const reserved = open.get(operationId.slice("post:".length));
				expect("hold", subject, "an open hold", "none", reserved !== undefined);
				expect("hold", subject, `at most ${reserved ?? 0}`, amountCredits, amountCredits <= (reserved ?? 0));
				open.delete(operationId.slice("post:".length));
				return { posted: -amountCredits, held: -(reserved ?? 0) };
			}
			case "void": {
				const holdId = operationId.slice("void:".length);
				const reserved = open.get(holdId) ?? 0;
				expect("hold", subject, "a hold that was not posted", "a posted one", !operationIds.has(`post:${holdId}`));
				expect("hold", subject, reserved, amountCredits);
				open.delete(holdId);
				return { posted: 0, held: -reserved };
			}
		}
	}

	function take(entry: Entry): void {
		const subject = `entry ${entry.seq}: ${entry.operationId}`;
		expect("gapless", subject, seq + 1, entry.seq);
		expect("once", subject, "one entry", "another", !operationIds.has(entry.operationId));
		const change = changeOf(entry);
		operationIds.add(entry.operationId);
		expect("running balance", `${subject}, posted`, after.posted + change.posted, entry.postedAfterCredits);
		expect("running balance", `${subject}, held`, after.held + change.held, entry.heldAfterCredits);
		const { postedAfterCredits: posted, heldAfterCredits: held } = entry;
		expect("covered", subject, `at most ${posted} held`, held, held <= posted || hasOverdraft(id));
		seq = entry.seq;
		postedCredits += change.posted;
		after = { posted, held };
	}

	function checkHolds(): void {
		for (const [holdId, credits] of open) {
			expect("hold", `hold ${holdId}`, credits, openHold(account, holdId)?.credits ?? "not in the account");
		}
		for (const { id: holdId, credits, shares } of account.holds) {
			expect("hold", `hold ${holdId}`, "an open hold", "not in the journal", open.has(holdId));
			expect("shares", `hold ${holdId}`, `at most ${credits}`, sumShares(shares), sumShares(shares) <= credits);
		}
	}

	function checkShares(): void {
		const available = Math.max(0, availableCredits(account));
		expect(
			"shares",
			"available",
			`at most ${available}`,
			sumShares(account.shares),
			sumShares(account.shares) <= available,
		);
		const unspent = new Map<string, Share[]>();
		for (const share of [...account.shares, ...account.holds.flatMap(({ shares }) => shares)]) {
			unspent.set(share.grantId, [...(unspent.get(share.grantId) ?? []), share]);
		}
		for (const grantId of new Set([...unspent.keys(), ...expired.keys()])) {
			const foundCredits = sumShares(unspent.get(grantId) ?? []) + (expired.get(grantId) ?? 0);
			const grantedCredits = granted.get(grantId) ?? 0;
			expect("shares", `grant ${grantId}`, `at most ${grantedCredits}`, foundCredits, foundCredits <= grantedCredits);
		}
	}

	return {
		take,
		finish(): readonly AuditFinding[] {
			expect("gapless", "account, seq", seq, account.seq);
			for (const [index, entry] of account.entries.entries()) {
				const expected = account.seq - account.entries.length + 1 + index;
				expect("gapless", `account, entry ${index + 1} of ${account.entries.length}`, expected, entry.seq);
			}
			expect("posted", "account, posted", postedCredits, account.postedCredits);
			const openCredits = [...open.values()].reduce((sum, credits) => sum + credits, 0);
			expect("held", "account, held", openCredits, heldCredits(account));
			expect(
				"covered",
				"account, available",
				"at least 0",
				availableCredits(account),
				availableCredits(account) >= 0 || hasOverdraft(id),
			);
			checkHolds();
			checkShares();
			return findings;
		},
	};
}
