import { expect, test } from "vitest";
import type { Clock } from "@atelier/common/clock";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { callFailedError, createServiceClient } from "../../src/engines/http-client.ts";
import { openFakeServer } from "../../testing/servers/fake-server.ts";

test("the timeout of a call covers a description as a whole, but only the start of a file", async () => {
	const server = await openFakeServer(() => "silence");
	const responses: { write(text: string): unknown; end(): unknown }[] = [];
	server.http.prependListener("request", (_request, response) => {
		responses.push(response);
		response.write("{}");
	});
	const manualClock = createManualClock();
	const endedTimeoutsMs: number[] = [];
	const clock: Clock = {
		...manualClock,
		sleep(delayMs, disposal) {
			disposal?.addEventListener("abort", () => endedTimeoutsMs.push(delayMs));
			return manualClock.sleep(delayMs, disposal);
		},
	};
	const client = createServiceClient({ url: server.url, timeoutMs: 500, clock });
	const { signal } = new AbortController();
	const file = client.file("/a.png", { signal });
	await expect.poll(() => endedTimeoutsMs).toStrictEqual([500]);
	const json = client.json("/a", { signal });
	json.catch(() => {});
	await expect.poll(() => endedTimeoutsMs).toStrictEqual([500, 500]);
	await manualClock.advance(500);
	await expect(json).rejects.toMatchObject({ code: "upstream_timeout" });
	responses[0]?.end();
	expect(Buffer.from(await file).toString()).toBe("{}");
});

test.each([
	[true, [408, 409, 425, 500, 501, 502, 504, 507, 520, 522, 524, 527, 529]],
	[false, [400, 404, 422, 429, 503, 521, 523, 525, 526, 530]],
])("the service may have acted: %s after HTTP %j", (mayHaveActed, statuses) => {
	for (const status of statuses) expect(callFailedError(status, undefined)).toMatchObject({ status, mayHaveActed });
});
