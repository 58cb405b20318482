/** The alerts and the dashboard use only metrics that a running Atelier exports. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAtelier } from "../e2e/start-atelier.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { metricOf, readExposition, type Scraped } from "./exposition.ts";
import { readExpression, type Selector } from "./promql.ts";

interface Alert {
	readonly alert: string;
	readonly expr: string;
	readonly labels: { readonly severity: string };
	readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

interface Panel {
	readonly title: string;
	readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** A query with its source, and the labels in its text. */
interface Question {
	readonly by: string;
	readonly expression: string;
	readonly named: readonly string[];
}

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

async function readAlerts(): Promise<readonly Alert[]> {
	const rules = parse(await read("ops/prometheus/alerts.yml")) as { readonly groups: { readonly rules: Alert[] }[] };
	return rules.groups.flatMap((group) => group.rules);
}

async function readPanels(): Promise<readonly Panel[]> {
	return (JSON.parse(await read("ops/grafana/atelier.json")) as { readonly panels: readonly Panel[] }).panels;
}

async function readQuestions(): Promise<readonly Question[]> {
	const ofAlerts = (await readAlerts()).map(({ alert, expr, annotations }) => ({
		by: alert,
		expression: expr,
		named: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label),
	}));
	const ofPanels = (await readPanels()).flatMap(({ title, targets = [] }) =>
		targets.map(({ expr, legendFormat }) => ({
			by: title,
			expression: expr,
			named: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
		})),
	);
	return [...ofAlerts, ...ofPanels];
}

/** Labels that Prometheus adds to every sample. */
const OF_PROMETHEUS = ["instance", "job"];

/** Returns the problems of a query with the exported metrics. */
function faultsOf({ by, expression, named }: Question, scraped: Scraped): readonly string[] {
	const selectors = readExpression(expression).filter(({ metric }) => metric !== "up");
	const faults = selectors.flatMap((selector) => faultsOfSelector(selector, scraped));
	const isAggregated = selectors.some(({ keeps }) => keeps.length > 0);
	const shown = selectors.flatMap(({ metric, keeps }) => (isAggregated ? keeps : [...labelsOf(metric, scraped)]));
	const unnamed = named.filter((label) => !shown.includes(label) && !(label === "instance" && !isAggregated));
	return [...faults, ...unnamed.map((label) => `its text names ${label}, which is not there`)].map(
		(fault) => `${by}: ${fault}`,
	);
}

function faultsOfSelector({ metric, matchers, functions, keeps }: Selector, scraped: Scraped): readonly string[] {
	const owner = metricOf(scraped, metric);
	if (owner === undefined) return [`${metric} is not shown`];
	const known = [...labelsOf(metric, scraped), ...OF_PROMETHEUS];
	const isCounted = scraped.types.get(owner) !== "gauge";
	const isRate = functions.some((name) => name === "rate" || name === "increase");
	const isQuantile = functions.includes("histogram_quantile");
	return [
		...[...matchers.map(({ label }) => label), ...keeps]
			.filter((label) => !known.includes(label))
			.map((label) => `${metric} has no label ${label}`),
		...matchers
			.filter(({ label, value }) => known.includes(label) && !value.startsWith("$"))
			.flatMap(({ label, value }) => value.split("|").map((each) => [label, each] as const))
			.filter(([label, value]) => !OF_PROMETHEUS.includes(label) && !valuesOf(metric, label, scraped).has(value))
			.map(([label, value]) => `${metric} never has ${label}="${value}"`),
		...(isRate && !isCounted ? [`${metric} is no counter, and has no rate`] : []),
		...(isQuantile && !(metric.endsWith("_bucket") && keeps.includes("le"))
			? [`a quantile needs the buckets of ${metric}, by le`]
			: []),
	];
}

function labelsOf(metric: string, { labels }: Scraped): readonly string[] {
	return [...(labels.get(metric)?.keys() ?? [])];
}

function valuesOf(metric: string, label: string, { labels }: Scraped): ReadonlySet<string> {
	return labels.get(metric)?.get(label) ?? new Set();
}

/** A process with a finished, a failed and a running image task. */
async function scrapeAtWork(): Promise<Scraped> {
	const engine = createFakeEngine();
	engine.script.push({ kind: "succeed" }, { kind: "fail", retryable: false }, { kind: "hang" });
	const { atelier, userClient } = await openAtelier({ engine });
	for (const prompt of ["a fox", "an owl"]) {
		const reply = await userClient.type("/image", { prompt });
		await reply.until(isFinalReply);
	}
	await userClient.type("/image", { prompt: "a boat" });
	const scrape = async (): Promise<string> => (await fetch(`${atelier.origin}/metrics`)).text();
	await expect.poll(scrape).toContain('atelier_tasks_pending{state="submitted"');
	return readExposition(await scrape());
}

test("every metric and label of the alerts and the dashboard is exported by a running Atelier", async () => {
	const questions = await readQuestions();
	expect(questions.length).toBeGreaterThan(50);
	const scraped = await scrapeAtWork();
	expect(questions.flatMap((question) => faultsOf(question, scraped))).toStrictEqual([]);
	const asked = questions.flatMap(({ expression }) => readExpression(expression).map(({ metric }) => metric));
	const unasked = [...scraped.types.keys()].filter((name) => !asked.some((metric) => metric.startsWith(name)));
	// The metrics without a panel are the default ones of every process.
	expect(unasked.filter((name) => !/^atelier_(process|nodejs)_/.test(name))).toStrictEqual([]);
});
