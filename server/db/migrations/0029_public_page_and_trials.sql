CREATE TABLE "public_pages" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"link_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"is_on" boolean NOT NULL,
	"headline" text,
	"about" text,
	"bring" text,
	"address" text,
	"map_url" text,
	"phone" text,
	"language" text NOT NULL,
	"names_instructors" boolean DEFAULT false NOT NULL,
	"allowed_sites" text[] DEFAULT '{}' NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "public_pages_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "public_pages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "slug_history" (
	"slug" text PRIMARY KEY NOT NULL,
	"dojo_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "booking_links" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"token_hash" text NOT NULL,
	"booking_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "booking_links_dojo_id_token_hash_pk" PRIMARY KEY("dojo_id","token_hash")
);
--> statement-breakpoint
ALTER TABLE "booking_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "bookings" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"lead_id" uuid NOT NULL,
	"offer_id" uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"class_date" date NOT NULL,
	"told_class" text NOT NULL,
	"told_date" date NOT NULL,
	"told_time" text NOT NULL,
	"visitor_name" text NOT NULL,
	"visitor_age" smallint NOT NULL,
	"state" text NOT NULL,
	"uses_class_places" boolean NOT NULL,
	"source" text NOT NULL,
	"language" text NOT NULL,
	"form_key" text NOT NULL,
	"address_hash" text NOT NULL,
	"marked_by" uuid,
	"marked_at" timestamp with time zone,
	"needs_check" boolean DEFAULT false NOT NULL,
	"reminded_at" timestamp with time zone,
	"missed_notice_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bookings_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "bookings_form_key" UNIQUE("dojo_id","form_key")
);
--> statement-breakpoint
ALTER TABLE "bookings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "lead_consents" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"contact_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"wording_version" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "lead_consents_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "lead_consents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "leads" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_for" text NOT NULL,
	"email" text,
	"phone" text,
	"language" text NOT NULL,
	"source" text NOT NULL,
	"purposes" text[] DEFAULT '{}' NOT NULL,
	"likely_person_id" uuid,
	"likely_person" text,
	"created_at" timestamp with time zone NOT NULL,
	"last_active_at" timestamp with time zone NOT NULL,
	CONSTRAINT "leads_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "leads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "trial_offers" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_on" boolean NOT NULL,
	"class_ids" uuid[] NOT NULL,
	"min_age" smallint,
	"max_age" smallint,
	"trial_places" smallint,
	"uses_class_places" boolean NOT NULL,
	"days_ahead" smallint NOT NULL,
	"cutoff_minutes" smallint NOT NULL,
	"visits" smallint NOT NULL,
	"confirmation" text,
	"sends_reminders" boolean NOT NULL,
	"writes_when_missed" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "trial_offers_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "trial_offers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "booking_links" ADD CONSTRAINT "booking_links_booking" FOREIGN KEY ("dojo_id","booking_id") REFERENCES "public"."bookings"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_lead" FOREIGN KEY ("dojo_id","lead_id") REFERENCES "public"."leads"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_offer" FOREIGN KEY ("dojo_id","offer_id") REFERENCES "public"."trial_offers"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "booking_links_of_booking" ON "booking_links" USING btree ("dojo_id","booking_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_live" ON "bookings" USING btree ("dojo_id","class_id","class_date","lead_id",lower(visitor_name)) WHERE state in ('held', 'booked', 'came');--> statement-breakpoint
CREATE INDEX "bookings_by_date" ON "bookings" USING btree ("dojo_id","class_date");--> statement-breakpoint
CREATE INDEX "bookings_of_lead" ON "bookings" USING btree ("dojo_id","lead_id");--> statement-breakpoint
CREATE INDEX "bookings_by_creation" ON "bookings" USING btree ("dojo_id","created_at");--> statement-breakpoint
CREATE INDEX "bookings_to_check" ON "bookings" USING btree ("dojo_id") WHERE needs_check;--> statement-breakpoint
CREATE INDEX "lead_consents_of_contact" ON "lead_consents" USING btree ("dojo_id","contact_hash");--> statement-breakpoint
CREATE INDEX "leads_by_email" ON "leads" USING btree ("dojo_id","email");--> statement-breakpoint
CREATE INDEX "leads_by_phone" ON "leads" USING btree ("dojo_id","phone");--> statement-breakpoint
CREATE INDEX "leads_by_activity" ON "leads" USING btree ("last_active_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "public_pages" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "public_pages" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "booking_links" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "booking_links" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "bookings" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "bookings" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "lead_consents" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "lead_consents" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "leads" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "leads" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "trial_offers" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "trial_offers" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);