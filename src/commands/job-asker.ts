import assert from "node:assert/strict";
import type { BaseInteraction } from "discord.js";
import type { JobRequester } from "../services/tasks/job-service.ts";
import { isModerator } from "./member.ts";

/** Who asks about tasks, as an interaction in a server says it. */
export function jobRequesterOf(
	interaction: Pick<BaseInteraction, "user" | "guildId" | "memberPermissions">,
): JobRequester {
	const { guildId, user } = interaction;
	assert(guildId !== null);
	return { guildId, userId: user.id, isModerator: isModerator(interaction) };
}
