/** The alerts and Grafana's dashboard use only metrics that a running Atelier exports. promtool checks the alerts themselves. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openAtelier } from "../e2e/start-atelier.ts";

const read = (path: string): Promise<string> => readFile(new URL(`../../ops/${path}`, import.meta.url), "utf8");

test("every metric of the alerts and Grafana's dashboard is exported, and each own metric is used there", async () => {
	const { atelier } = await openAtelier();
	const scraped = await (await fetch(`${atelier.origin}/metrics`)).text();
	const exported = new Map([...scraped.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type]) => [name, type]));
	const texts = [await read("prometheus/alerts.yml"), await read("grafana/atelier.json")].join("\n");
	const used = [...texts.matchAll(/\batelier_\w+/g)].map(([name]) => {
		const histogram = name.replace(/_(?:bucket|sum|count)$/, "");
		return exported.get(histogram) === "histogram" ? histogram : name;
	});
	expect(used.filter((name) => !exported.has(name))).toStrictEqual([]);
	const unused = [...exported.keys()].filter((name) => !used.includes(name));
	// The default metrics of every process need no panel.
	expect(unused.filter((name) => !/^atelier_(process|nodejs)_/.test(name))).toStrictEqual([]);
});
