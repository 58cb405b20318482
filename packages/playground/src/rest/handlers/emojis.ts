import { PermissionFlagsBits as Permission } from "discord-api-types/v10";
import { readImageData } from "../../media/image-data.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { CustomEmoji } from "../../simulator/documents.ts";
import type { SimulatedGuild } from "../../simulator/seed-from-fixture.ts";
import { CreatedResponse, type RestRequest } from "../route.ts";
import { guildOf, requireGuildPermission } from "./guilds.ts";

const IMAGE_BYTES_MAX = 256 * 1024;
/** Of each kind, by the guild's boost level. */
const EMOJIS_MAX = [50, 100, 150, 250] as const;

/** All emoji are the bot's own, so either permission suffices. */
const CHANGE_EMOJIS = Permission.CreateGuildExpressions | Permission.ManageGuildExpressions;

interface EmojiBody {
	readonly name?: string;
	readonly image?: string;
	readonly roles?: readonly (string | null)[] | null;
}

function emojiOf({ simulator, param }: RestRequest, guild: SimulatedGuild): CustomEmoji {
	const found = simulator.emojis.find(param("emoji"));
	if (found?.guildId !== guild.id) throw apiErrors.unknownEmoji(404);
	return found;
}

const rolesOf = (roles: EmojiBody["roles"]): string[] => (roles ?? []).filter((id) => id !== null);

export function list(request: RestRequest): object {
	const { emojis } = request.simulator;
	return emojis.inGuild(guildOf(request)).map((emoji) => emojis.serialize(emoji));
}

export function read(request: RestRequest): object {
	return request.simulator.emojis.serialize(emojiOf(request, guildOf(request)));
}

export async function create(request: RestRequest): Promise<CreatedResponse> {
	const { emojis, overrides } = request.simulator;
	const guild = guildOf(request);
	requireGuildPermission(request, guild, CHANGE_EMOJIS);
	const { name = "", image = "", roles } = request.body as EmojiBody;
	const data = readImageData("image", image, IMAGE_BYTES_MAX);
	const emojisMax = EMOJIS_MAX[overrides.boostLevelOf(guild)];
	const isAnimated = data.ending === "gif";
	const sameKind = emojis.inGuild(guild).filter((emoji) => emoji.isAnimated === isAnimated);
	if (sameKind.length >= emojisMax) throw apiErrors.tooManyEmojis(emojisMax);
	const created = await emojis.create(guild, { name, image: data, roleIds: rolesOf(roles) });
	return new CreatedResponse(emojis.serialize(created));
}

export function edit(request: RestRequest): object {
	const { emojis } = request.simulator;
	const guild = guildOf(request);
	requireGuildPermission(request, guild, CHANGE_EMOJIS);
	const { name, roles } = request.body as EmojiBody;
	const changes = { ...(name !== undefined && { name }), ...(roles !== undefined && { roleIds: rolesOf(roles) }) };
	return emojis.serialize(emojis.edit(emojiOf(request, guild), changes));
}

export function remove(request: RestRequest): void {
	const guild = guildOf(request);
	requireGuildPermission(request, guild, CHANGE_EMOJIS);
	request.simulator.emojis.remove(emojiOf(request, guild));
}
