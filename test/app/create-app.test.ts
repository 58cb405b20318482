import { createLogger } from "@atelier/common/logger";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openFakeServer } from "@atelier/studio/testing/servers/fake-server";
import { expect, onTestFinished, test, vi } from "vitest";
import { createApp } from "../../src/app/create-app.ts";
import { loadConfig } from "../../src/config/load-config.ts";

test("the bot logs in before the media service has listed its models", async () => {
	// The listing of the models would otherwise end by its timeout on a slow machine.
	vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
	onTestFinished(() => void vi.restoreAllMocks());
	const loggedIn = Promise.withResolvers<void>();
	const service = await openFakeServer(async () => {
		await loggedIn.promise;
		return { json: { code: 0, data: { models: [fakeImageModel] } } };
	});
	const lines: string[] = [];
	const destination = {
		write(line: string): void {
			lines.push(line);
			if (line.includes("shard ready")) loggedIn.resolve();
		},
	};
	const logger = createLogger({ level: "info", pretty: false, destination });
	const config = loadConfig({
		PORT: "0",
		STORE_URL: "memory:",
		DATA_DIR: await createTempFolder(),
		MEDIA_API_URL: service.url,
		MEDIA_API_KEY: "service-key",
	});
	const app = await createApp(config, logger);
	onTestFinished(() => app.stop());
	expect(lines.join("")).not.toContain("models not read");
});
