import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import type { PageState } from "../src/page/page-contract.ts";
import { CHANNEL_MESSAGES_MAX } from "../src/limits.ts";
import { createObserver } from "../src/user-client/observer.ts";

const messageWith = (id: number) => ({ id: String(id), channel_id: "1", content: "" }) as APIMessage;

test("a reply that is older than the messages of a state stays known; a deleted message does not", async () => {
	const observer = createObserver(new AbortController().signal);
	const answered = { ...messageWith(1_000), interaction_metadata: { id: "900" } } as APIMessage;
	const deleted = messageWith(2_001);
	const catchUp = (messages: readonly APIMessage[]) =>
		observer.handleEvent({ type: "state", state: { messages } as PageState });
	catchUp([answered, deleted]);
	catchUp(Array.from({ length: CHANNEL_MESSAGES_MAX }, (_, at) => messageWith(2_000 + 2 * at)));
	expect(observer.reply("900").message()).toBe(answered);
	await observer.untilGone(deleted);
	// A list that is not full has every message.
	catchUp([messageWith(3_000)]);
	const reply = observer.reply("900");
	expect(reply.message()).toBeUndefined();
	expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["message", "deleted"]);
});
