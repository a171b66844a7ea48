CREATE TABLE "sibling_prices" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"nth" smallint NOT NULL,
	"percent" smallint,
	"amount_off" integer,
	"ordered_by" text NOT NULL,
	CONSTRAINT "sibling_prices_dojo_id_nth_pk" PRIMARY KEY("dojo_id","nth"),
	CONSTRAINT "sibling_prices_one_kind" CHECK (num_nonnulls("sibling_prices"."percent", "sibling_prices"."amount_off") = 1)
);
--> statement-breakpoint
ALTER TABLE "sibling_prices" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "payment_records" ADD COLUMN "price_reason" text;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "price_note" text;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "sibling_exempt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "awaits_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "sibling_prices" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "sibling_prices" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);