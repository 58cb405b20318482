import type {
	Answer,
	AnswerFile,
	Bringing,
	Messenger,
	News,
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

	/** No streaming upload: it changes nothing of what is seen. */
	startUpload(): undefined {}

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

	/** How far things are, oldest first. */
	readonly reported: News[] = [];
	/** What becomes of a report, in place of the usual: it is taken. */
	onReport: () => Promise<boolean> = async () => true;
	/** Whether an answer that was shown is still there. */
	stillStands = true;

	async report(_target: ReplyTarget, news: News): Promise<boolean> {
		this.reported.push(news);
		return await this.onReport();
	}

	async stands(): Promise<boolean> {
		return this.stillStands;
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
