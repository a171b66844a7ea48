CREATE TABLE "autopay_permissions" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"charge_id" uuid NOT NULL,
	"allowed_at" timestamp with time zone NOT NULL,
	"allowed_by" uuid NOT NULL,
	CONSTRAINT "autopay_permissions_dojo_id_charge_id_pk" PRIMARY KEY("dojo_id","charge_id")
);
--> statement-breakpoint
ALTER TABLE "autopay_permissions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "autopay_permissions" ADD CONSTRAINT "autopay_permissions_charge" FOREIGN KEY ("dojo_id","charge_id") REFERENCES "public"."charges"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "autopay_permissions" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "autopay_permissions" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);