import type { Submission } from "../../src/services/tasks/submission-service.ts";

export const GUILD = "1000000000000000001";
export const TASK = "1000000000000000009";

/** The submission of an image for 4 credits. */
export const submission: Submission = {
	id: TASK,
	guildId: GUILD,
	userId: "1000000000000000002",
	roleIds: ["1000000000000000006"],
	locale: "en-US",
	userLocale: "en-US",
	request: {
		mediaType: "image",
		model: "paint-1",
		modelName: "Paint",
		scene: "text-to-image",
		prompt: "a boat",
		options: {},
		costCredits: 4,
		typicalSeconds: 0.5,
	},
	reply: {
		applicationId: "1000000000000000003",
		token: "secret-token",
		tokenExpiresAtMs: Number.MAX_SAFE_INTEGER,
		channelId: "1000000000000000004",
		messageId: "1000000000000000005",
		isEphemeral: false,
		isBotInGuild: true,
		attachmentBytesMax: 1024 * 1024,
	},
	presentation: {
		isSpoiler: false,
		opensThread: false,
		isPromptInFiles: false,
		isImprovable: false,
		isReportable: false,
	},
	channel: { channelIds: ["1000000000000000004"], isAgeRestricted: false },
};
