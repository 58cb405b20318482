import type { ServerSettings } from "../../src/server-settings.ts";

export const settings: ServerSettings = {
	timeZone: "Europe/Berlin",
	unusedCredits: "expire",
	allowance: { per: "day", everyone: 20, roles: { "1": 50 }, members: {}, media: {} },
	serverLimit: null,
	warnChannelId: null,
	media: { spoiler: false, private: false, promptInFiles: false, improvePrompts: false },
	access: {
		paused: null,
		channels: { allowed: [], denied: [] },
		roles: { allowed: [], denied: [] },
		mediaOff: [],
		modelsOff: [],
	},
	safety: { sexual: "withhold", violence: "withhold", selfHarm: "withhold", other: "withhold" },
	filter: { patterns: ["dragon*"] },
	confirmAbove: null,
	pings: "ask",
	showcase: { channelId: null, stars: 5 },
	logChannelId: null,
	reportChannelId: null,
	language: null,
	channelDefaults: {},
	styles: {},
};
