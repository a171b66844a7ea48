CREATE TABLE "trial_payments" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"booking_id" uuid,
	"form_key" text NOT NULL,
	"state" text NOT NULL,
	"amount" integer NOT NULL,
	"is_live" boolean NOT NULL,
	"needs_approval" boolean NOT NULL,
	"attempt" smallint DEFAULT 0 NOT NULL,
	"checkout_id" text,
	"checkout_url" text,
	"expires_at" timestamp with time zone NOT NULL,
	"lapsed_at" timestamp with time zone,
	"intent_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	"next_check_at" timestamp with time zone NOT NULL,
	CONSTRAINT "trial_payments_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "trial_payments_form_key" UNIQUE("dojo_id","form_key")
);
--> statement-breakpoint
ALTER TABLE "trial_payments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trial_offers" ADD COLUMN "price" integer;--> statement-breakpoint
ALTER TABLE "trial_payments" ADD CONSTRAINT "trial_payments_booking" FOREIGN KEY ("dojo_id","booking_id") REFERENCES "public"."bookings"("dojo_id","id") ON DELETE SET NULL (booking_id) ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trial_payments_of_booking" ON "trial_payments" USING btree ("dojo_id","booking_id");--> statement-breakpoint
CREATE INDEX "trial_payments_to_check" ON "trial_payments" USING btree ("next_check_at","dojo_id") WHERE state in ('open', 'refunding');--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "trial_payments" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "trial_payments" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);