import type {
	FinalReply,
	ReplyFile,
	ResendOutcome,
	ReplyClient,
	ProgressUpdate,
	StandaloneReply,
	ReplyTarget,
	DeliveryAttempt,
} from "../../src/services/delivery/reply-client.ts";

/** A Discord that shows the same answer once, however often it is told. */
export class FakeReplyClient implements ReplyClient {
	/** By nonce: what the person sees. */
	readonly seen = new Map<string, FinalReply>();
	calls = 0;
	readonly failuresBefore: Error[] = [];
	readonly failuresAfter: Error[] = [];
	isClosed = false;

	/** News, oldest first. */
	readonly notices: string[] = [];

	/** No streaming upload: it changes nothing of what is seen. */
	startUpload(): undefined {}

	async notify(_target: ReplyTarget, text: string): Promise<boolean> {
		this.calls++;
		const before = this.failuresBefore.shift();
		if (before) throw before;
		this.notices.push(text);
		return true;
	}

	/** Files that were sent again, oldest first. */
	readonly brought: { readonly text: string; readonly files: readonly ReplyFile[] }[] = [];

	async resend(_reply: StandaloneReply, text: string, files: readonly ReplyFile[]): Promise<ResendOutcome> {
		this.calls++;
		const before = this.failuresBefore.shift();
		if (before) throw before;
		this.brought.push({ text, files });
		return { kind: "brought" };
	}

	/** How far things are, oldest first. */
	readonly reported: ProgressUpdate[] = [];
	/** Overrides the outcome of a progress update; the default is success. */
	onReport: () => Promise<boolean> = async () => true;
	/** True while the posted reply has not been deleted. */
	stillStands = true;

	async updateProgress(_target: ReplyTarget, news: ProgressUpdate): Promise<boolean> {
		this.reported.push(news);
		return await this.onReport();
	}

	async isVisible(): Promise<boolean> {
		return this.stillStands;
	}

	async deliver(_target: ReplyTarget, answer: FinalReply): Promise<DeliveryAttempt> {
		this.calls++;
		const before = this.failuresBefore.shift();
		if (before) throw before;
		if (this.isClosed) return { kind: "undelivered" };
		this.seen.set(answer.nonce, answer);
		const after = this.failuresAfter.shift();
		if (after) throw after;
		return { kind: "delivered", route: "tokenEdit", messageId: "1", withFiles: answer.files.length > 0 };
	}
}
