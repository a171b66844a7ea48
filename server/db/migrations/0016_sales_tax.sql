CREATE TABLE "sales_taxes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"kind" text NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"percent" numeric(5, 3) NOT NULL,
	"is_added" boolean NOT NULL,
	CONSTRAINT "sales_taxes_dojo_id_kind_starts_on_pk" PRIMARY KEY("dojo_id","kind","starts_on"),
	CONSTRAINT "sales_taxes_days" CHECK ("sales_taxes"."ends_on" is null or "sales_taxes"."starts_on" <= "sales_taxes"."ends_on")
);
--> statement-breakpoint
ALTER TABLE "sales_taxes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "receipt_lines" ADD COLUMN "tax" integer;--> statement-breakpoint
ALTER TABLE "receipt_lines" ADD COLUMN "tax_percent" numeric(5, 3);--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD COLUMN "tax" integer;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD COLUMN "tax_percent" numeric(5, 3);--> statement-breakpoint
CREATE INDEX "ledger_lines_taxed" ON "ledger_lines" USING btree ("dojo_id","made_on") WHERE tax_percent is not null;--> statement-breakpoint
ALTER TABLE "ledger_lines" ADD CONSTRAINT "ledger_lines_tax" CHECK (("ledger_lines"."tax" is null) = ("ledger_lines"."tax_percent" is null));--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "sales_taxes" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "sales_taxes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);