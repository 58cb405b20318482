import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig, SECRETS, variableNames, whySeveral } from "../../src/config.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

interface Service {
	readonly image: string;
	readonly profiles: readonly string[];
	readonly user?: string;
	readonly init?: boolean;
	readonly read_only?: boolean;
	readonly cap_drop?: readonly string[];
	readonly security_opt?: readonly string[];
	readonly stop_grace_period: string;
	readonly networks: readonly string[];
	readonly ports?: readonly string[];
	readonly volumes: readonly string[];
	readonly secrets?: readonly string[];
	readonly command?: readonly string[];
	readonly healthcheck?: { readonly test: readonly string[] };
	readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
	readonly environment: Readonly<Record<string, string>>;
}

const compose = parse(read("compose.yaml"), { merge: true, strict: true }) as {
	readonly services: Readonly<Record<string, Service>>;
	readonly volumes: Readonly<Record<string, unknown>>;
	readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
	readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const services = Object.entries(compose.services);
const bots = services.filter(([, { image }]) => image === "atelier");
const inProfile = (profile: string): readonly string[] =>
	services.filter(([, { profiles }]) => profiles.includes(profile)).map(([name]) => name);

describe("compose.yaml", () => {
	test("has one process alone, and two with their servers", () => {
		expect(inProfile("alone")).toStrictEqual(["atelier"]);
		expect(inProfile("several")).toStrictEqual(["atelier-0", "atelier-1", "postgres", "valkey"]);
	});

	test.each(services)("confines %s", (_, service) => {
		expect(service).toMatchObject({
			init: true,
			read_only: true,
			cap_drop: ["ALL"],
			security_opt: ["no-new-privileges:true"],
		});
		expect(service.image).toMatch(/^(atelier|[\w/]+:\d+)$/);
		for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:8080$/);
		for (const volume of service.volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
		for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret);
	});

	test("gives a process as long to stop as it may take", () => {
		const deadline = /STOP_DEADLINE_MS = ([\d_]+);/.exec(read("src/index.ts"))?.[1]?.replace("_", "");
		for (const [, { stop_grace_period: grace }] of bots) {
			expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThan(Number(deadline));
		}
	});

	test("keeps the servers to those who need them, healthy before they are used, losing nothing", () => {
		const { postgres, valkey } = compose.services;
		expect([postgres?.networks, valkey?.networks]).toStrictEqual([["servers"], ["servers"]]);
		expect(compose.networks["servers"]).toStrictEqual({ internal: true });
		expect([postgres?.ports, valkey?.ports]).toStrictEqual([undefined, undefined]);
		expect([postgres?.healthcheck?.test[1], valkey?.healthcheck?.test[0]]).toStrictEqual(["pg_isready", "CMD-SHELL"]);
		expect(valkey?.command?.at(-1)).toContain("--appendonly yes --maxmemory-policy noeviction");
		for (const name of ["atelier-0", "atelier-1"]) {
			const healthy = { condition: "service_healthy" };
			expect(compose.services[name]?.depends_on).toStrictEqual({ postgres: healthy, valkey: healthy });
		}
	});

	test("takes every secret from a file that nobody commits and no image is given", () => {
		for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\/\w+$/);
		expect(read(".gitignore").split("\n")).toContain("secrets/");
		const told = services.flatMap(([, each]) => Object.entries(each.environment ?? {}));
		const secretNames: readonly string[] = [...SECRETS, "POSTGRES_PASSWORD"];
		expect(told.filter(([name, value]) => secretNames.includes(name) && value !== "")).toStrictEqual([]);
	});

	test.each(bots)("gives %s an environment that the configuration understands", (_, { environment: told }) => {
		expect(Object.keys(told).filter((name) => !variableNames.includes(name))).toStrictEqual([]);
		const secrets: Readonly<Record<string, string>> = {
			DISCORD_TOKEN: "x".repeat(30),
			STORE_URL: "postgres://atelier:p@postgres:5432/atelier",
			QUEUE_URL: "redis://:p@valkey:6379",
		};
		const inPlaceOfFiles = Object.entries(told).map(([name, value]) => {
			const secret = name.replace(/_FILE$/, "");
			return name.endsWith("_FILE") ? [secret, secrets[secret]] : [name, value];
		});
		const config = loadConfig(Object.fromEntries(inPlaceOfFiles.toSorted(([, value]) => (value === "" ? -1 : 1))));
		expect(config).toMatchObject({ HOST: "0.0.0.0", PORT: 8080, DATA_DIR: "/data" });
	});

	test("shares all shards out between the two processes", () => {
		const parts = bots.map(([, { environment: told }]) => told).filter(({ SHARDS }) => SHARDS !== undefined);
		const token = { DISCORD_TOKEN: "x".repeat(30), QUEUE_URL: "redis://valkey" };
		const configs = parts.map(({ SHARDS, SHARD_COUNT }) => loadConfig({ ...token, SHARDS, SHARD_COUNT }));
		const shards = configs
			.flatMap(({ SHARDS }) => (SHARDS === "auto" ? [] : SHARDS))
			.toSorted((one, other) => one - other);
		expect(shards).toStrictEqual([0, 1]);
		expect(configs.map(({ SHARD_COUNT }) => SHARD_COUNT)).toStrictEqual([2, 2]);
		expect(configs.map(whySeveral)).not.toContain(undefined);
	});
});
