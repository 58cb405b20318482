import { bind } from "../commands/framework/bind-commands.ts";
import { galleryCommands } from "../commands/index.ts";
import { createDiscordChannelVisibility } from "../discord/discord-channel-visibility.ts";
import type { GuildReader } from "../discord/guild-reader.ts";
import { createDiscordResultMessages } from "../discord/discord-result-messages.ts";
import { createFilePoster } from "../discord/file-poster.ts";
import { createResultAccess } from "../services/access/result-access.ts";
import { createGalleryService } from "../services/gallery/gallery-service.ts";
import { createGalleryStore } from "../services/gallery/gallery-store.ts";
import { createResultDeletion } from "../services/gallery/result-deletion.ts";
import { createShowcase } from "../services/gallery/showcase.ts";
import { createTaskRemoval } from "../services/tasks/remove-task.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import type { TaskStore } from "../services/tasks/task-store.ts";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";
import type { DeliveryFeature } from "./create-delivery.ts";
import type { SettingsFeature } from "./create-settings.ts";

interface GalleryDeps extends Pick<DiscordConnection, "client"> {
	readonly readGuild: GuildReader;
	readonly directory: GuildDirectory;
	readonly taskStore: TaskStore;
	readonly settingsFeature: Pick<SettingsFeature, "settings" | "settingsService" | "languages">;
	readonly deliveryFeature: Pick<DeliveryFeature, "results" | "uploadSemaphore">;
}

export type GalleryFeature = ReturnType<typeof createGallery>;

/** Builds the list of each server's results with their favorites, and its showcase. */
export function createGallery({ store, clock, logger, disposables }: BotContext, deps: GalleryDeps) {
	const { client, readGuild, directory, taskStore } = deps;
	const { settings, settingsService, languages } = deps.settingsFeature;
	const { results, uploadSemaphore } = deps.deliveryFeature;
	const { rest } = client;
	const galleryStore = createGalleryStore(store);
	const channelVisibility = createDiscordChannelVisibility({ rest, readGuild, clock });
	const resultAccess = createResultAccess({ taskStore, channelVisibility });
	const resultMessages = createDiscordResultMessages({ rest });
	const filePoster = createFilePoster({ rest, uploadSemaphore });
	const showcase = createShowcase({
		taskStore,
		galleryStore,
		results,
		channelVisibility,
		filePoster,
		resultMessages,
		settings,
		languages,
	});
	const resultDeletion = createResultDeletion({
		clock,
		taskStore,
		galleryStore,
		resultAccess,
		resultMessages,
	});
	const gallery = createGalleryService({
		clock,
		taskStore,
		galleryStore,
		resultAccess,
		channelVisibility,
		resultMessages,
		resultDeletion,
		showcase,
		logger,
	});
	disposables.defer(() => gallery.stop());
	return {
		galleryStore,
		resultAccess,
		resultDeletion,
		resultMessages,
		filePoster,
		gallery,
		commands: bind(galleryCommands, {
			gallery,
			resultAccess,
			resultDeletion,
			directory,
			settings,
			settingsService,
			languages,
			clock,
		}),
		removeTask: createTaskRemoval({ taskStore, results, galleryStore }),
	};
}
