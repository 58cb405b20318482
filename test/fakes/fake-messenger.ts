import type {
	Answer,
	AnswerFile,
	Bringing,
	Messenger,
	OwnReply,
	ReplyTarget,
	Showing,
} from "../../src/services/delivery/messenger.ts";

/** A Discord that shows the same answer once, however often it is told. */
export class FakeMessenger implements Messenger {
	/** By nonce: what the person sees. */
	readonly seen = new Map<string, Answer>();
	calls = 0;
	readonly failuresBefore: Error[] = [];
	readonly failuresAfter: Error[] = [];
	isClosed = false;

	/** News, oldest first. */
	readonly told: string[] = [];

	async tell(_target: ReplyTarget, text: string): Promise<boolean> {
		this.calls++;
		const before = this.failuresBefore.shift();
		if (before) throw before;
		this.told.push(text);
		return true;
	}

	/** What was brought again, oldest first. */
	readonly brought: { readonly text: string; readonly files: readonly AnswerFile[] }[] = [];

	async bring(_reply: OwnReply, text: string, files: readonly AnswerFile[]): Promise<Bringing> {
		this.calls++;
		const before = this.failuresBefore.shift();
		if (before) throw before;
		this.brought.push({ text, files });
		return { kind: "brought" };
	}

	async show(_target: ReplyTarget, answer: Answer): Promise<Showing> {
		this.calls++;
		const before = this.failuresBefore.shift();
		if (before) throw before;
		if (this.isClosed) return { kind: "kept" };
		this.seen.set(answer.nonce, answer);
		const after = this.failuresAfter.shift();
		if (after) throw after;
		return { kind: "shown", rung: "tokenEdit", messageId: "1", withFiles: answer.files.length > 0 };
	}
}
