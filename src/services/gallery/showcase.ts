import type { Logger } from "pino";
import { t } from "../../i18n/messages.ts";
import { plainLine, quote } from "../../i18n/quote.ts";
import type { ReplyFile } from "../delivery/reply-client.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import type { GuildLanguages } from "../settings/guild-languages.ts";
import type { GuildSettingsStore } from "../settings/guild-settings.ts";
import { linkOf } from "../tasks/format-job.ts";
import type { ChannelVisibility } from "./channel-visibility.ts";
import type { GalleryStore } from "./gallery-store.ts";
import { isPublic, type MadeTask } from "./made-task.ts";

const PROMPT_CHARS_MAX = 280;
const DESCRIPTION_CHARS_MAX = 500;

/** A message in the showcase. The same key posts one message only, while Discord remembers it. */
export interface ShowcaseMessage {
	readonly key: string;
	readonly text: string;
	readonly files: readonly ReplyFile[];
}

/** `unknown`: Discord did not respond, so the message may be there. */
export type PostOutcome =
	| { readonly kind: "posted"; readonly messageId: string }
	| { readonly kind: "rejected" }
	| { readonly kind: "unknown"; readonly error: unknown };

interface ShowcasePoster {
	post(channelId: string, message: ShowcaseMessage): Promise<PostOutcome>;
}

/** Posts results that enough members have among their favorites in the channel that the admins chose. */
export interface Showcase {
	/** Posts a result once, if it has enough stars. */
	consider(task: MadeTask, logger: Logger): Promise<void>;
}

interface ShowcaseDeps {
	readonly gallery: GalleryStore;
	readonly results: Pick<ResultStore, "open">;
	readonly channels: Pick<ChannelVisibility, "mayRepost">;
	readonly poster: ShowcasePoster;
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly languages: Pick<GuildLanguages, "localeOf">;
}

export function createShowcase(deps: ShowcaseDeps): Showcase {
	const { gallery, results, channels, poster, settings, languages } = deps;

	/** Counts members other than the author, up to a number. */
	async function starsOf({ id, userId }: MadeTask, starsMax: number): Promise<number> {
		let stars = 0;
		for await (const admirerId of gallery.admirersOf(id)) {
			if (admirerId !== userId) stars++;
			if (stars === starsMax) break;
		}
		return stars;
	}

	/** Files are uploaded again, so that the showcase does not depend on the original message. */
	async function filesOf({ id, request, reply, outcome }: MadeTask): Promise<readonly ReplyFile[]> {
		const description = plainLine(request.prompt, DESCRIPTION_CHARS_MAX);
		const isSpoiler = reply.spoiler ?? false;
		const files = await Promise.all(
			outcome.files.map(async ({ name, contentType }, index) => {
				const content = await results.open(id, index);
				return content ? [{ name, contentType, description, content, isSpoiler }] : [];
			}),
		);
		return files.flat();
	}

	return {
		async consider(task, logger) {
			const { id, guildId, userId, request, reply } = task;
			const guildSettings = await settings.read(guildId);
			const { channelId, stars } = guildSettings.showcase;
			if (channelId === null || !isPublic(task) || (await starsOf(task, stars)) < stars) return;
			if (!(await channels.mayRepost(guildId, reply.channelId, channelId))) return;
			if (!(await gallery.claimShowcase(id))) return;
			const prompt = quote(request.prompt, PROMPT_CHARS_MAX);
			const text = t(languages.localeOf(guildId, guildSettings), {
				key: "showcase.post",
				params: { prompt, userId, link: linkOf(task) },
			});
			const outcome = await poster.post(channelId, { key: `showcase:${id}`, text, files: await filesOf(task) });
			switch (outcome.kind) {
				case "posted":
					await gallery.endShowcase(id, { channelId, messageId: outcome.messageId });
					logger.info({ taskId: id }, "result posted in the showcase");
					return;
				case "rejected":
					await gallery.endShowcase(id, undefined);
					logger.warn({ taskId: id, channelId }, "showcase channel not writable");
					return;
				case "unknown":
					// It may have arrived, so the claim stays: no result is posted twice.
					logger.warn({ taskId: id, channelId, err: outcome.error }, "outcome of the showcase unknown");
			}
		},
	};
}
