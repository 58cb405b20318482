import { documentRules } from "./document-rules.ts";
import type { CheckedRule, Rule, Verdict } from "./rule.ts";
import {
	LeftOpenError,
	NotOfferedError,
	NotReachableError,
	connectService,
	type Service,
	type ServiceOptions,
} from "./service.ts";
import { specificationRules } from "./specification-rules.ts";

interface ServiceReport {
	readonly checked: readonly CheckedRule[];
	/** The number of tasks that the service accepted. */
	readonly submittedTasks: number;
}

/**
 * Checks a service against every selected rule, one after the other, so that the effects of one rule do not disturb
 * the next.
 */
export async function checkService(
	options: ServiceOptions,
	onChecked: (checked: CheckedRule) => void = () => {},
	isSelected: (rule: Rule) => boolean = () => true,
): Promise<ServiceReport> {
	const service = await connectService(options);
	const checked: CheckedRule[] = [];
	for (const rule of [...specificationRules, ...documentRules(service)]) {
		if (!isSelected(rule)) continue;
		const { source, about, title } = rule;
		const each = { source, about, title, verdict: await verdictOf(rule, service) };
		checked.push(each);
		onChecked(each);
	}
	return { checked, submittedTasks: service.submittedTasks() };
}

async function verdictOf({ check }: Rule, service: Service): Promise<Verdict> {
	try {
		await check(service);
		return { kind: "passed" };
	} catch (error) {
		// A service that stopped responding has not violated the rule that was being checked.
		if (error instanceof NotReachableError) await service.send("GET", "/openapi.json");
		const why = error instanceof Error ? error.message : String(error);
		if (error instanceof LeftOpenError) return { kind: "noted", why };
		return error instanceof NotOfferedError ? { kind: "notOffered", why } : { kind: "failed", why };
	}
}
