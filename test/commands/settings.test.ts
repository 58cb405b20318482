import { expect, test } from "vitest";
import { MANAGER, MEMBER, linesOf, openDesk } from "./command-setup.ts";

test("how results are shown is changed by managers, and stays", async () => {
	const { type } = openDesk();
	expect(linesOf(await type(MANAGER, "settings media"))).toContain("**Results** are shown to everybody.");
	await type(MANAGER, "settings media", { spoiler: true });
	expect(linesOf(await type(MANAGER, "settings media"))).toContain(
		"**Results** are shown to everybody, hidden until somebody clicks on them.",
	);
});

test("nobody else changes it, however the command reached them", async () => {
	const { type } = openDesk();
	const refused = await type(MEMBER, "settings media", { spoiler: true });
	expect(linesOf(refused)[0]).toContain("Only people who may manage this server can do that.");
	expect(linesOf(await type(MANAGER, "settings media"))).toContain("**Results** are shown to everybody.");
});
