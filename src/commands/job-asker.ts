import assert from "node:assert/strict";
import type { BaseInteraction } from "discord.js";
import type { Asker } from "../services/tasks/job-desk.ts";
import { isModerator } from "./member.ts";

/** Who asks about tasks, as an interaction in a server says it. */
export function askerOf(interaction: Pick<BaseInteraction, "user" | "guildId" | "memberPermissions">): Asker {
	const { guildId, user } = interaction;
	assert(guildId !== null);
	return { guildId, userId: user.id, isModerator: isModerator(interaction) };
}
