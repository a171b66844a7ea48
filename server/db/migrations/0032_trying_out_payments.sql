CREATE TABLE "simulated_checkouts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"key" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"cents" integer NOT NULL,
	"return_url" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "simulated_checkouts_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "simulated_checkouts_key" UNIQUE("dojo_id","key")
);
--> statement-breakpoint
ALTER TABLE "simulated_checkouts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "pay_links" ADD COLUMN "is_sent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "pay_links" ADD COLUMN "sent_amount" integer;--> statement-breakpoint
ALTER TABLE "stripe_accounts" ADD COLUMN "is_simulated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "simulated_checkouts" ADD CONSTRAINT "simulated_checkouts_payment" FOREIGN KEY ("dojo_id","payment_id") REFERENCES "public"."online_payments"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "simulated_checkouts_of_payment" ON "simulated_checkouts" USING btree ("dojo_id","payment_id");--> statement-breakpoint
CREATE INDEX "simulated_checkouts_by_age" ON "simulated_checkouts" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "simulated_checkouts" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "simulated_checkouts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);