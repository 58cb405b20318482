/** The votes of a poll, and its end. */
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel } from "../../simulator/documents.ts";
import { pageOfUsers } from "../read-request.ts";
import type { RestRequest } from "../route.ts";
import { messageOf, readable } from "./messages.ts";

export function voters(request: RestRequest, channel: Channel): object {
	const voterIds = messageOf(request, channel).poll?.voterIds[Number(request.param("answer")) - 1];
	if (!voterIds) throw apiErrors.invalidField(["answer_id"], "BASE_TYPE_CHOICES", "Unknown answer.");
	return { users: pageOfUsers(request, voterIds) };
}

/** The bot ends its own polls only. */
export function expire(request: RestRequest, channel: Channel): object {
	const { simulator } = request;
	const { polls, serialize } = simulator;
	const message = messageOf(request, channel);
	const { poll } = message;
	if (!poll) throw apiErrors.notAPoll();
	if (message.authorId !== request.actorId) throw apiErrors.notTheAuthor();
	if (poll.isFinalized) throw apiErrors.pollExpired();
	return readable(simulator, serialize.message(polls.end(message, poll)));
}
