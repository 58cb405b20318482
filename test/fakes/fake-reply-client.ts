import type { DeliveryRoute } from "../../src/services/delivery/delivery-routes.ts";
import type { FinalReply } from "../../src/services/delivery/final-reply.ts";
import type {
	Ping,
	Resend,
	ResendResult,
	ReplyClient,
	ProgressUpdate,
	ProgressUpdateResult,
	DeliveryResult,
} from "../../src/services/delivery/reply-client.ts";
import type { TokenReply, ReplyTarget } from "../../src/services/delivery/reply-target.ts";

/** A Discord that shows a reply once, however often it is sent. */
export class FakeReplyClient implements ReplyClient {
	/** The visible replies by task id. */
	readonly visible = new Map<string, FinalReply>();
	/** The number of deliveries and resends that were tried. */
	calls = 0;
	/** Thrown by the next of these calls, in turn, before they have an effect. */
	readonly failuresBefore: Error[] = [];
	/** Thrown by the next deliveries, in turn, after the reply has become visible. */
	readonly failuresAfter: Error[] = [];
	/** Called by each delivery, before it has an effect. */
	onDeliver: (reply: FinalReply) => Promise<void> = async () => {};
	/** The route of the next deliveries. */
	route: DeliveryRoute = "tokenEdit";
	/** True if no delivery route is left. */
	isClosed = false;

	/** Never starts a streaming upload, which has no effect on the visible reply. */
	startUpload(): undefined {}

	/** Files that were sent again, oldest first. */
	readonly resent: Resend[] = [];

	async resend(_reply: TokenReply, resend: Resend): Promise<ResendResult> {
		this.calls++;
		const before = this.failuresBefore.shift();
		if (before) throw before;
		this.resent.push(resend);
		return { kind: "sent" };
	}

	/** Progress updates, oldest first. */
	readonly progressUpdates: ProgressUpdate[] = [];
	onProgressUpdate: () => Promise<ProgressUpdateResult> = async () => "shown";
	/** True while the posted reply has not been deleted. */
	isReplyPresent = true;

	async updateProgress(_target: ReplyTarget, update: ProgressUpdate): Promise<ProgressUpdateResult> {
		this.progressUpdates.push(update);
		return await this.onProgressUpdate();
	}

	/** Pings, oldest first. */
	readonly pings: Ping[] = [];

	async ping(_target: ReplyTarget, ping: Ping): Promise<void> {
		this.pings.push(ping);
	}

	async mayBeVisible(): Promise<boolean> {
		return this.isReplyPresent;
	}

	async deliver(_target: ReplyTarget, reply: FinalReply): Promise<DeliveryResult> {
		this.calls++;
		await this.onDeliver(reply);
		const before = this.failuresBefore.shift();
		if (before) throw before;
		if (this.isClosed) return { kind: "undelivered" };
		this.visible.set(reply.taskId, reply);
		const after = this.failuresAfter.shift();
		if (after) throw after;
		return { kind: "delivered", route: this.route, messageId: "1", withFiles: reply.files.length > 0 };
	}
}
